// Looks up the numbers of nests by digest. The numbers of nests that replace others follow from the number of nests
// that each step produces.
#include "passes/Schedule/Steps/MapSteps.h"

#include "passes/Schedule/Nests/NestDigest.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo::schedule {

/// Returns `step` for other nests by editing its text, because only the step knows its other parameters. Returns null
/// if the text does not contain the numbers in the usual form.
static StepAttrInterface renumber(StepAttrInterface step, unsigned nest) {
  std::string text;
  llvm::raw_string_ostream(text) << Attribute(step);
  unsigned last = step.getLastNest() - step.getNest() + nest;
  auto replace = [&](StringRef name, unsigned from, unsigned to) {
    std::string before = llvm::formatv("{0} = {1}", name, from);
    size_t at = text.find(before), end = at + before.size();
    if (at != std::string::npos && !(end < text.size() && llvm::isDigit(text[end])))
      text.replace(at, before.size(), llvm::formatv("{0} = {1}", name, to).str());
  };
  replace("nest", step.getNest(), nest);
  if (step.getLastNest() != step.getNest())
    replace("last", step.getLastNest(), last);
  ScopedDiagnosticHandler quiet(step.getContext(), [](Diagnostic &) { return success(); });
  auto moved = dyn_cast_or_null<StepAttrInterface>(parseAttribute(text, step.getContext()));
  return moved && moved.getNest() == nest && moved.getLastNest() == last ? moved : nullptr;
}

/// Returns the number in `now` of each nest in `made`; equal digests are matched in order.
static llvm::Expected<SmallVector<unsigned>> findNests(ArrayRef<std::string> made, ArrayRef<std::string> now) {
  if (made.size() != now.size())
    return llvm::createStringError("it was made for %zu nests, got %zu", made.size(), now.size());
  SmallVector<unsigned> numbers;
  for (auto [number, digest] : llvm::enumerate(made)) {
    unsigned found = 0;
    while (found < now.size() && (now[found] != digest || llvm::is_contained(numbers, found)))
      ++found;
    if (found == now.size())
      return llvm::createStringError("nest %zu, for which it was made, does not exist any more", number);
    numbers.push_back(found);
  }
  return numbers;
}

namespace {

/// A step that replaces nests, with the original and the new numbers.
struct MovedReplacement {
  StepAttrInterface made, here;
  unsigned leaves; ///< the number of nests that replace those of the step
};

} // namespace

/// Returns, by original number, the numbers of nests after all replacements.
static SmallVector<unsigned> numbersBehind(ArrayRef<MovedReplacement> replacements, ArrayRef<unsigned> numbers) {
  // The number of nests that replace each one; for a step over several nests, all of them replace the first.
  SmallVector<unsigned> madeCounts(numbers.size(), 1), counts(numbers.size(), 1);
  for (const MovedReplacement &each : replacements)
    for (unsigned number = each.made.getNest(); number <= each.made.getLastNest(); ++number)
      counts[numbers[number]] = madeCounts[number] = number == each.made.getNest() ? each.leaves : 0;
  SmallVector<unsigned> begins(numbers.size(), 0);
  for (unsigned number = 1; number < numbers.size(); ++number)
    begins[number] = begins[number - 1] + counts[number - 1];
  SmallVector<unsigned> behind;
  for (auto [number, count] : llvm::enumerate(madeCounts))
    for (unsigned each = 0; each < count; ++each)
      behind.push_back(begins[numbers[number]] + each);
  return behind;
}

llvm::Expected<StepsAttr> mapSteps(StepsAttr steps, ArrayRef<std::string> made, const TaskProgram &program,
                                   const Machine &machine, const GpuMachine *gpu) {
  llvm::Expected<SmallVector<unsigned>> numbers = findNests(made, digestOf(program).each);
  if (!numbers)
    return numbers.takeError();
  SmallVector<StepAttrInterface> mapped;
  auto add = [&](StepAttrInterface step, ArrayRef<unsigned> all) -> llvm::Error {
    if (step.getLastNest() >= all.size())
      return llvm::createStringError("expected a nest below %zu, got %u", all.size(), step.getLastNest());
    unsigned nest = all[step.getNest()];
    for (unsigned number = step.getNest(); number <= step.getLastNest(); ++number)
      if (all[number] - nest != number - step.getNest())
        return llvm::createStringError("nests %u to %u are not adjacent any more", step.getNest(), step.getLastNest());
    StepAttrInterface moved = renumber(step, nest);
    if (!moved)
      return llvm::createStringError(llvm::formatv("the nest number of {0} cannot be changed", Attribute(step)));
    mapped.push_back(moved);
    return llvm::Error::success();
  };
  SmallVector<MovedReplacement> replacements;
  ArrayRef<Attribute> replacing = replacingSteps(steps);
  for (Attribute attr : replacing) {
    auto step = cast<StepAttrInterface>(attr);
    if (llvm::Error error = add(step, *numbers))
      return std::move(error);
    TaskProgram alone = program;
    if (llvm::Error error = replaceNests(StepsAttr::get(steps.getContext(), {mapped.back()}), alone, machine))
      return std::move(error);
    unsigned leaves = countNests(alone) + step.getLastNest() - step.getNest() + 1 - countNests(program);
    replacements.push_back({step, mapped.back(), leaves});
  }
  SmallVector<unsigned> behind = numbersBehind(replacements, *numbers);
  for (Attribute step : steps.getSteps().drop_front(replacing.size()))
    if (llvm::Error error = add(cast<StepAttrInterface>(step), behind))
      return std::move(error);
  // The order that rules and searches use: nest by nest, and for each nest in the order of its steps.
  SmallVector<std::tuple<bool, unsigned, size_t>> order;
  for (auto [number, step] : llvm::enumerate(mapped))
    order.emplace_back(!step.replacesNests(), step.getNest(), number);
  llvm::sort(order);
  auto result = StepsAttr::get(steps.getContext(), llvm::map_to_vector(order, [&](const auto &each) -> Attribute {
                                 return mapped[std::get<2>(each)];
                               }));
  if (llvm::Error error = applySteps(result, program, machine, gpu).takeError())
    return std::move(error);
  return result;
}

} // namespace cameo::schedule
