#include "autotune/Space/OverlappedTileVariants.h"

#include "passes/Schedule/Rules/ChooseFusion.h"

using namespace cameo::schedule;

namespace cameo::autotune {

/// The number of additional tilings that the rules reject only because of their cost.
static constexpr unsigned mostRefused = 3;

/// Returns the alternatives to one tiling.
static std::vector<FuseStep> othersOf(const FuseStep &step) {
  std::vector<FuseStep> others = {{step.nest, step.last, step.size * 2}};
  if (step.size > 1)
    others.push_back({step.nest, step.last, step.size / 2});
  if (step.last - step.nest > 1) {
    others.push_back({step.nest, step.last - 1, step.size});
    others.push_back({step.nest + 1, step.last, step.size});
  }
  return others;
}

static bool isBetween(const Replacement &replacement, const FuseStep &step) {
  unsigned nest = std::visit([](const auto &each) { return each.nest; }, replacement);
  return nest >= step.nest && nest <= step.last;
}

std::vector<std::vector<Replacement>>
overlappedTileVariants(const TaskProgram &program, llvm::ArrayRef<Replacement> chosen, const Machine &machine) {
  std::vector<std::vector<Replacement>> variants;
  bool hasTiles = false;
  for (size_t number = 0; number < chosen.size(); ++number) {
    auto without = [&] {
      std::vector<Replacement> &others = variants.emplace_back(chosen.begin(), chosen.end());
      others.erase(others.begin() + number);
    };
    if (std::holds_alternative<FlattenStep>(chosen[number]))
      without();
    const auto *step = std::get_if<FuseStep>(&chosen[number]);
    if (!step)
      continue;
    hasTiles = true;
    without();
    for (const FuseStep &other : othersOf(*step))
      variants.emplace_back(chosen.begin(), chosen.end())[number] = other;
  }
  if (hasTiles)
    return variants;
  for (const FuseStep &step : cheapestTilings(program, machine, mostRefused)) {
    std::vector<Replacement> &with = variants.emplace_back(chosen.begin(), chosen.end());
    llvm::erase_if(with, [&](const Replacement &each) { return isBetween(each, step); });
    with.push_back(step);
  }
  return variants;
}

} // namespace cameo::autotune
