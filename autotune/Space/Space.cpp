#include "autotune/Space/Space.h"

#include "autotune/Space/InlineVariants.h"
#include "autotune/Space/OverlappedTileVariants.h"
#include "autotune/Space/RegisterBlock.h"
#include "autotune/Space/SampleNest.h"
#include "autotune/Space/WinogradVariants.h"
#include "passes/Schedule/Nests/Build/BuildNests.h"
#include "passes/Schedule/Rules/ChooseFusion.h"
#include "passes/Schedule/Rules/ChooseWinograd.h"
#include "passes/Schedule/Steps/RegisterSteps.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "llvm/Support/xxhash.h"

using namespace cameo::schedule;

namespace cameo::autotune {

llvm::Expected<std::unique_ptr<Space>> Space::create(task::DefOp def, llvm::ArrayRef<bool> constantArguments,
                                                     const Machine &machine, unsigned threads,
                                                     llvm::StringRef structure, const SketchRules &ofPlugins,
                                                     const TaskLimits &limits) {
  llvm::Expected<TaskProgram> program = buildNests(def, constantArguments);
  if (!program)
    return program.takeError();
  // Before the schedule phase, the context may not have loaded them.
  loadSteps(*def.getContext());
  SketchRules rules = sketchRules(structure, ofPlugins);
  std::unique_ptr<Space> space(new Space(def.getContext(), machine));
  space->within.vectorRegisters = std::min(machine.vectorRegisters, limits.registers);
  auto add = [&](const std::vector<Replacement> &replacements) {
    llvm::Error error = space->addVariant(replacements, *program, threads, rules);
    if (!error && space->exceeds(space->variants.back(), *program, limits))
      space->variants.pop_back();
    return error;
  };
  // Most replacements divide extents, so programs with dynamic sizes have those of --schedule-tasks or none.
  bool isOpen = !program->hasKnownSizes();
  for (const std::vector<WinogradStep> &steps :
       isOpen ? std::vector<std::vector<WinogradStep>>(1) : winogradVariants(*program))
    if (llvm::Error error = add({steps.begin(), steps.end()}))
      return std::move(error);
  auto find = [&](const std::vector<Replacement> &chosen) {
    return llvm::find_if(space->variants, [&](const Variant &variant) { return variant.replacements == chosen; });
  };
  std::vector<Replacement> plain = chooseReplacements(*program, "off", machine, limits);
  std::vector<Replacement> chosen = chooseReplacements(*program, "auto", machine, limits);
  if (find(plain) == space->variants.end())
    if (llvm::Error error = add(plain))
      return std::move(error);
  if (find(chosen) == space->variants.end())
    if (llvm::Error error = space->addVariant(chosen, *program, threads, rules))
      return std::move(error);
  State &defaults = space->defaults;
  defaults.variant = find(chosen) - space->variants.begin();
  for (const NestSpace &nest : space->nests(defaults)) {
    defaults.nests.push_back(nest.traits.defaults);
    canonicalize(nest.traits, defaults.nests.back());
  }
  space->likely = space->variants.size();
  for (const std::vector<Replacement> &base : {plain, chosen}) {
    if (isOpen)
      break;
    std::vector<std::vector<Replacement>> others = overlappedTileVariants(*program, base, machine);
    llvm::append_range(others, inlineVariants(*program, base));
    for (const std::vector<Replacement> &other : others) {
      if (find(other) != space->variants.end())
        continue;
      size_t before = space->variants.size();
      // Steps of users are rejected with a reason, but variants that do not fit are just dropped.
      llvm::Error error = add(other);
      if (error)
        while (space->variants.size() > before)
          space->variants.pop_back();
      llvm::consumeError(std::move(error));
    }
  }
  return space;
}

llvm::Error Space::addVariant(std::vector<Replacement> replacements, const TaskProgram &program, unsigned threads,
                              const SketchRules &rules) {
  Variant &variant = variants.emplace_back();
  variant.program = program;
  if (llvm::Error error = replaceNests(replacements, variant.program))
    return error;
  variant.replacements = std::move(replacements);
  for (const NestGroup &group : variant.program.groups)
    for (const LoopNest &nest : group.nests) {
      NestTraits traits(variant.program, group, nest, within, threads);
      std::vector<NestSketch> sketches = generateSketches(traits, rules);
      variant.nests.push_back({std::move(traits), std::move(sketches)});
    }
  return llvm::Error::success();
}

bool Space::exceeds(const Variant &variant, const TaskProgram &program, const TaskLimits &limits) const {
  bool limitsScratch = limits.scratchBytes != TaskLimits().scratchBytes;
  return winogradUse(program, variant.replacements, machine).filterBytes > limits.filterBytes ||
         (limitsScratch && variant.program.hasKnownSizes() && scratchBytes(variant.program) > limits.scratchBytes);
}

int64_t Space::kindOf(const Variant &variant) {
  if (variant.replacements.empty())
    return 1;
  const auto *winograd = std::get_if<WinogradStep>(&variant.replacements.front());
  return winograd ? winograd->outputs : 0;
}

std::optional<State> Space::sample(Random &random) const {
  // Variants that the rules reject are rarely better, so a few samples suffice.
  constexpr double chanceOfOthers = 0.1;
  if (variants.size() > likely && random.chance(chanceOfOthers))
    return sample(random, likely + random.below(variants.size() - likely));
  // Each kind gets equally many samples; variants of a kind differ in block sizes.
  llvm::SmallVector<int64_t> kinds;
  for (size_t number = 0; number < likely; ++number)
    if (!llvm::is_contained(kinds, kindOf(variants[number])))
      kinds.push_back(kindOf(variants[number]));
  int64_t chosen = random.pick<int64_t>(kinds);
  llvm::SmallVector<unsigned> numbers;
  for (unsigned number = 0; number < likely; ++number)
    if (kindOf(variants[number]) == chosen)
      numbers.push_back(number);
  return sample(random, random.pick<unsigned>(numbers));
}

std::optional<State> Space::sample(Random &random, unsigned variant) const {
  State state;
  state.variant = variant;
  constexpr unsigned attempts = 4;
  for (const NestSpace &nest : variants[variant].nests) {
    std::optional<NestSchedule> schedule;
    for (unsigned attempt = 0; attempt < attempts && !schedule; ++attempt)
      schedule = sampleNest(nest.traits, random.pick<NestSketch>(nest.sketches), random);
    if (!schedule)
      return std::nullopt;
    state.nests.push_back(std::move(*schedule));
  }
  return state;
}

bool Space::isValid(const State &state) const {
  return llvm::all_of(llvm::zip_equal(nests(state), state.nests),
                      [](auto pair) { return autotune::isValid(std::get<0>(pair).traits, std::get<1>(pair)); });
}

StateKey Space::keyOf(const State &state) const {
  llvm::SmallVector<int64_t, 64> numbers = {state.variant};
  auto append = [&](llvm::ArrayRef<unsigned> list) {
    numbers.push_back(list.size());
    numbers.append(list.begin(), list.end());
  };
  for (auto [space, nest] : llvm::zip_equal(nests(state), state.nests)) {
    // With one thread, the number of parallel loops does not change the time, except for the dispatch.
    bool isShared = space.traits.threads > 1;
    numbers.append({nest.vectorDim ? *nest.vectorDim + 1 : 0, nest.lanes,
                    isShared ? nest.parallelLoops : std::min(1U, nest.parallelLoops), isShared ? nest.repeatedLoops : 0,
                    nest.partialLoop ? *nest.partialLoop + 1 : 0, nest.dotDim ? *nest.dotDim + 1 : 0,
                    static_cast<int64_t>(nest.loops.size())});
    for (const Loop &loop : nest.loops)
      numbers.append({loop.dim, loop.size});
    append(nest.packedBuffers);
    append(nest.prefetchedBuffers);
  }
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(numbers.data()), numbers.size() * sizeof(int64_t)));
  return {hash.low64, hash.high64};
}

StepsAttr Space::toSteps(const State &state) const {
  return schedule::toSteps(context, variant(state).replacements, state.nests);
}

llvm::Expected<State> Space::fromSteps(StepsAttr steps) const {
  auto found = llvm::find_if(variants, [&](const Variant &each) {
    return schedule::toSteps(context, each.replacements) == replacingSteps(steps);
  });
  if (found == variants.end())
    return llvm::createStringError("these steps that replace convolutions are not part of the search space");
  State state;
  state.variant = found - variants.begin();
  llvm::Expected<std::vector<NestSchedule>> schedules = schedule::fromSteps(steps, found->program, machine);
  if (!schedules)
    return schedules.takeError();
  state.nests = std::move(*schedules);
  for (auto [nest, schedule] : llvm::zip_equal(found->nests, state.nests))
    canonicalize(nest.traits, schedule);
  return state;
}

void Space::printSketches(llvm::raw_ostream &os) const {
  for (auto [number, variant] : llvm::enumerate(variants)) {
    os << "variant " << number << ':';
    for (mlir::Attribute step : schedule::toSteps(context, variant.replacements)) {
      std::string text;
      llvm::raw_string_ostream(text) << step;
      os << ' ' << llvm::StringRef(text).drop_front(llvm::StringRef("#schedule.").size());
    }
    os << '\n';
    for (auto [nestNumber, nest] : llvm::enumerate(variant.nests))
      for (const NestSketch &sketch : nest.sketches) {
        os << "  nest " << nestNumber << ": ";
        print(sketch, os);
        os << '\n';
      }
  }
}

} // namespace cameo::autotune
