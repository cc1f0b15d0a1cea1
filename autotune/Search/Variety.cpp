#include "autotune/Search/Variety.h"

#include "autotune/Space/RegisterBlock.h"

#include <cmath>

namespace cameo::autotune {

/// Least number of register blocks in one proposal.
static constexpr unsigned blocksPerProposal = 8;
/// Least number of variants of the task in one proposal.
static constexpr unsigned variantsPerProposal = 2;
/// Number of measurements from which on a shape counts as tried.
static constexpr unsigned shapeMeasurements = 2;
/// Relative excess over the fastest at which a part with enough measurements is hopeless.
static constexpr double hopelessExcess = 0.5;
/// After this number of measurements, the share of a kind of variants is proportional to its speed; after twice as
/// many, to the square of its speed.
static constexpr double patience = 8;

bool Variety::Tally::isHopeless(double fastest) const {
  return measured >= tellingMeasurements &&
         bestSeconds > fastest * (1 + hopelessExcess * tellingMeasurements / measured);
}

void Variety::observe(llvm::ArrayRef<PolicyBase::Measured> measured) {
  ofVariants.clear();
  ofKinds.clear();
  ofShapes.clear();
  ofBlocks.clear();
  fastestSeconds = measured.empty() ? 0 : measured.front().costSeconds;
  for (const PolicyBase::Measured &each : llvm::reverse(measured)) {
    ++ofShapes[shapeOf(each.state)];
    ++ofBlocks[blocksOf(each.state)];
    for (Tally *tally : {&ofVariants[each.state.variant], &ofKinds[space.kindOf(each.state)]}) {
      ++tally->measured;
      tally->bestSeconds = each.costSeconds;
    }
  }
}

bool Variety::isHopeless(const State &state) const {
  auto variant = ofVariants.find(state.variant);
  auto kind = ofKinds.find(space.kindOf(state));
  return (variant != ofVariants.end() && variant->second.isHopeless(fastestSeconds)) ||
         (kind != ofKinds.end() && kind->second.isHopeless(fastestSeconds));
}

Variety::Shape Variety::shapeOf(const State &state) const {
  llvm::ArrayRef<NestSpace> nests = space.nests(state);
  size_t main = 0;
  for (size_t number = 1; number < nests.size(); ++number)
    if (nests[number].traits.operations > nests[main].traits.operations)
      main = number;
  const schedule::NestSchedule &nest = state.nests[main];
  if (!nest.vectorDim)
    return {state.variant, -1, 0};
  int64_t size = blockSizes(nests[main].traits, nest)[*nest.vectorDim];
  return {state.variant, *nest.vectorDim, static_cast<int64_t>(llvm::divideCeil(size, nest.lanes))};
}

std::vector<int64_t> Variety::blocksOf(const State &state) const {
  std::vector<int64_t> sizes = {state.variant};
  for (auto [nest, schedule] : llvm::zip_equal(space.nests(state), state.nests)) {
    sizes.push_back(schedule.vectorDim.value_or(~0U));
    llvm::SmallVector<int64_t, 8> block = blockSizes(nest.traits, schedule);
    for (unsigned dim : nest.traits.parallel)
      sizes.push_back(block[dim]);
  }
  return sizes;
}

/// Returns the number of candidates of each kind of variants in a proposal of `count`. The shares are equal as long as
/// nothing was measured. A slower kind gets a smaller share, which shrinks with the number of its measurements. When
/// all kinds have enough measurements, the model decides.
std::map<int64_t, size_t> Variety::sharesOfKinds(size_t count) const {
  std::map<int64_t, double> weights;
  bool comparesKinds = false;
  for (unsigned variant = 0; variant < space.allVariants().size(); ++variant) {
    int64_t kind = space.kindOf(State{variant, {}});
    auto tally = ofKinds.find(kind);
    if (tally != ofKinds.end() && tally->second.isHopeless(fastestSeconds))
      continue;
    comparesKinds |= tally == ofKinds.end() || tally->second.measured < tellingMeasurements;
    weights[kind] = tally == ofKinds.end()
                        ? 1
                        : std::pow(fastestSeconds / tally->second.bestSeconds, tally->second.measured / patience);
  }
  double total = 0;
  for (auto [kind, weight] : weights)
    total += weight;
  std::map<int64_t, size_t> shares;
  for (auto [kind, weight] : weights)
    // Not rounded up: otherwise the kind that the model prefers would fill a small proposal before the last kind.
    shares[kind] =
        comparesKinds ? static_cast<size_t>(std::lround(static_cast<double>(count) * weight / total)) : count;
  return shares;
}

std::vector<Variety::Scored> Variety::takeVaried(std::vector<Scored> sorted, size_t count,
                                                 llvm::ArrayRef<Scored> chosen) const {
  std::map<std::vector<int64_t>, size_t> perBlock = ofBlocks;
  std::map<unsigned, size_t> perVariant;
  std::map<int64_t, size_t> perKind;
  size_t measured = 0;
  for (const auto &[block, times] : ofBlocks)
    measured += times;
  size_t mostOfBlock = std::max<size_t>(1, (measured + chosen.size() + count) / blocksPerProposal);
  std::map<int64_t, size_t> mostOfKind = sharesOfKinds(chosen.size() + count);
  for (const Scored &each : chosen) {
    ++perBlock[blocksOf(each.state)];
    ++perKind[space.kindOf(each.state)];
  }
  std::vector<Scored> taken, rest;
  for (Scored &each : sorted) {
    if (taken.size() == count)
      break;
    size_t &ofBlock = perBlock[blocksOf(each.state)], &ofVariant = perVariant[each.state.variant];
    size_t &ofKind = perKind[space.kindOf(each.state)];
    bool isRare = ofBlock < mostOfBlock && ofVariant < std::max<size_t>(1, count / variantsPerProposal) &&
                  ofKind < mostOfKind[space.kindOf(each.state)] && !isHopeless(each.state);
    ofBlock += isRare;
    ofVariant += isRare;
    ofKind += isRare;
    (isRare ? taken : rest).push_back(std::move(each));
  }
  for (size_t next = 0; taken.size() < count && next < rest.size(); ++next)
    taken.push_back(std::move(rest[next]));
  return taken;
}

std::vector<Variety::Scored> Variety::takeUntried(Pool &pool, size_t most, llvm::ArrayRef<Scored> chosen,
                                                  size_t count) const {
  std::map<Shape, Pool::iterator> tops;
  for (auto each = pool.begin(); each != pool.end(); ++each) {
    const auto &[state, score] = each->second;
    auto tried = ofShapes.find(shapeOf(state));
    if (isHopeless(state) || (tried != ofShapes.end() && tried->second >= shapeMeasurements))
      continue;
    auto [top, isNew] = tops.try_emplace(shapeOf(state), each);
    if (!isNew && score > top->second->second.score)
      top->second = each;
  }
  std::vector<Pool::iterator> order;
  for (auto [shape, top] : tops)
    order.push_back(top);
  llvm::sort(order, [&](Pool::iterator a, Pool::iterator b) {
    auto rank = [&](Pool::iterator each) {
      return std::tuple(ofVariants.count(each->second.state.variant), -each->second.score, each->first);
    };
    return rank(a) < rank(b);
  });
  std::map<int64_t, size_t> left = sharesOfKinds(count);
  for (const Scored &each : chosen)
    if (size_t &ofKind = left[space.kindOf(each.state)]; ofKind > 0)
      --ofKind;
  std::vector<Scored> taken;
  for (Pool::iterator each : order) {
    size_t &ofKind = left[space.kindOf(each->second.state)];
    if (taken.size() == most || ofKind == 0)
      continue;
    --ofKind;
    taken.push_back(std::move(each->second));
    pool.erase(each);
  }
  return taken;
}

} // namespace cameo::autotune
