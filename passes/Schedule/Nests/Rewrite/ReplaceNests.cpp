#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"

namespace cameo::schedule {

static unsigned firstNest(const Replacement &step) {
  return std::visit([](const auto &replacement) { return replacement.nest; }, step);
}

static llvm::Error replace(TaskProgram &program, const WinogradStep &step) { return rewriteWinograd(program, step); }
static llvm::Error replace(TaskProgram &program, const FuseStep &step) { return fuseNests(program, step); }
static llvm::Error replace(TaskProgram &program, const FlattenStep &step) { return flattenDimensions(program, step); }
static llvm::Error replace(TaskProgram &program, const InlineStep &step) { return inlineNest(program, step); }

llvm::Error replaceNests(llvm::ArrayRef<Replacement> steps, TaskProgram &program) {
  llvm::SmallVector<Replacement> ordered(steps);
  // Start from the last nest, because a replacement changes the numbers of the nests after it.
  llvm::sort(ordered, [](const Replacement &a, const Replacement &b) { return firstNest(a) > firstNest(b); });
  for (const Replacement &step : ordered)
    if (llvm::Error error = std::visit([&](const auto &replacement) { return replace(program, replacement); }, step))
      return llvm::createStringError("nest %u: %s", firstNest(step), llvm::toString(std::move(error)).c_str());
  return llvm::Error::success();
}

} // namespace cameo::schedule
