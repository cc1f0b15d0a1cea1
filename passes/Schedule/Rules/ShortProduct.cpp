#include "passes/Schedule/Rules/ShortProduct.h"

#include "passes/Schedule/Rules/CacheModel.h"
#include "passes/Schedule/Rules/NestCost.h"

namespace cameo::schedule {
namespace {

/// The share of the registers, in eighths, that the vectors of all steps may take: two vectors of each leave room for
/// the sums.
constexpr int64_t eighthsOfVectors = 3;
/// The fewest points for which keeping vectors pays.
constexpr int64_t fewestPoints = 16;
/// The cache lines that a block stores without waiting for those of the block before, in as many steps of products.
constexpr int64_t linesAtOnce = 16, stepsPerStore = 16;
/// The pages whose addresses a core has at hand, and the distance of rows that lie close to each other.
constexpr int64_t mostPages = 1024, closeBytes = 1024;

/// Whether vectors along the vector dimension are multiplied by what all of their lanes share.
bool multipliesShared(const LoopNest &nest, const NestSchedule &schedule) {
  if (!schedule.vectorDim || nest.dims[*schedule.vectorDim].reduction || schedule.dotDim)
    return false;
  return llvm::any_of(nest.loads(/*insideReduction=*/true),
                      [&](NodeId id) { return !((nest.nodes[id].dependsOn >> *schedule.vectorDim) & 1); });
}

/// Whether a block of columns of all rows of the result lies in so many pages that each pass over them waits for their
/// addresses.
bool passesOverManyPages(const LoopNest &nest, const NestSchedule &schedule) {
  if (!nest.hasKnownSizes())
    return false;
  const Output &output = nest.outputs.front();
  int64_t rows = 1, apart = pageBytes;
  for (auto [number, dim] : llvm::enumerate(nest.dims))
    if (int64_t stride = std::abs(output.address.coefficients[number]); stride != 0 && number != schedule.vectorDim) {
      rows *= dim.extent;
      apart = std::min(apart, stride * bytesOf(nest.nodes[output.value].type));
    }
  return apart > closeBytes && rows * apart > mostPages * pageBytes;
}

} // namespace

bool isShortProduct(const LoopNest &nest, const NestSchedule &schedule, const Machine &machine) {
  // Functions of several results are computed beside each other.
  if (!nest.hasKnownSizes() ||
      llvm::any_of(nest.computed(/*insideReduction=*/false), [&](NodeId id) { return isLongFunction(nest.nodes[id]); }))
    return false;
  int64_t steps = 1, points = 1, most = machine.vectorRegisters * eighthsOfVectors / 8;
  for (auto [number, dim] : llvm::enumerate(nest.dims)) {
    if (!dim.reduction) {
      points *= schedule.vectorDim == number ? 1 : std::min<int64_t>(dim.extent, fewestPoints);
      continue;
    }
    if (dim.extent > most / steps)
      return false;
    steps *= std::max<int64_t>(1, dim.extent);
  }
  return points >= fewestPoints && multipliesShared(nest, schedule) && !passesOverManyPages(nest, schedule);
}

bool storesFar(const LoopNest &nest, const NestSchedule &schedule, int64_t steps) {
  if (steps > stepsPerStore || !multipliesShared(nest, schedule))
    return false;
  const Output &output = nest.outputs.front();
  auto bytes = static_cast<double>(bytesOf(nest.nodes[output.value].type));
  return elementsAt(nest, output.address) * bytes > firstLevelBytes;
}

bool readsVectorsFar(const LoopNest &nest, const NestSchedule &schedule) {
  return llvm::any_of(nest.loads(/*insideReduction=*/true), [&](NodeId id) {
    const Node &node = nest.nodes[id];
    return (node.dependsOn >> *schedule.vectorDim) & 1 &&
           elementsAt(nest, node.address) * static_cast<double>(bytesOf(node.type)) > firstLevelBytes;
  });
}

bool storesInTime(const LoopNest &nest, const NestSchedule &schedule, int64_t points) {
  int64_t bytes = bytesOf(nest.nodes[nest.outputs.front().value].type);
  return bytes * schedule.lanes * points <= linesAtOnce * lineBytes;
}

} // namespace cameo::schedule
