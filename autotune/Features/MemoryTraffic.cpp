#include "autotune/Features/MemoryTraffic.h"

#include "passes/Schedule/Rules/CacheModel.h"

#include <cmath>

using namespace cameo::schedule;

namespace cameo::autotune {

MemoryTraffic::MemoryTraffic(const NestFacts &facts, const NestSchedule &schedule, unsigned rowDims) {
  const LoopNest &nest = *facts.nest;
  addAccesses(facts, schedule);
  Tile tile;
  for (const Dimension &dim : nest.dims)
    tile.push_back(static_cast<double>(dim.extent));
  tiles.push_back(tile);
  auto divide = [&](unsigned dim, double size) {
    size = std::min(size, tile[dim]);
    iterations.push_back({dim, std::ceil(tile[dim] / size)});
    tile[dim] = tile[dim] / iterations.back().trips;
    tiles.push_back(tile);
  };
  for (unsigned dim = 0; dim < rowDims; ++dim)
    divide(dim, 1);
  parallelDepth = rowDims;
  for (const Loop &loop : schedule.loops) {
    divide(loop.dim, static_cast<double>(loop.size));
    if (!nest.dims[loop.dim].reduction)
      parallelDepth = iterations.size();
  }
  footprints.assign(tiles.size(), 0);
  for (Access &access : accesses)
    for (auto [depth, each] : llvm::enumerate(tiles)) {
      access.bytes.push_back(access.count * bytesOf(access, each));
      footprints[depth] += access.bytes.back();
    }
}

void MemoryTraffic::add(const NestFacts::Access &access, bool isPacked) {
  for (Access &other : accesses)
    if (other.buffer == access.buffer && other.dims == access.dims && other.isPacked == isPacked &&
        other.address->coefficients == access.address->coefficients) {
      other.count += access.count;
      return;
    }
  accesses.push_back({access, isPacked, {}});
}

void MemoryTraffic::addAccesses(const NestFacts &facts, const NestSchedule &schedule) {
  for (const NestFacts::Access &read : facts.reductionReads)
    add(read, llvm::is_contained(schedule.packedBuffers, read.buffer));
  for (const NestFacts::Access &read : facts.outputReads)
    add(read, /*isPacked=*/false);
  for (const NestFacts::Access &write : facts.writes)
    add(write, /*isPacked=*/false);
}

/// Dimensions that move the address by the same distance overlap, as those of an image and of a filter do.
double MemoryTraffic::bytesOf(const Access &access, const Tile &tile) {
  llvm::SmallVector<std::pair<int64_t, double>, 8> extents;
  for (auto [dim, size] : llvm::enumerate(tile)) {
    int64_t distance = std::abs(access.address->coefficients[dim]);
    if (distance == 0 || size <= 1)
      continue;
    auto same = llvm::find_if(extents, [&](const auto &each) { return each.first == distance; });
    if (same == extents.end())
      extents.push_back({distance, size});
    else
      same->second += size - 1;
  }
  double elements = 1, range = 1, run = 1;
  for (auto [distance, size] : extents) {
    elements *= size;
    range += static_cast<double>(distance) * (size - 1);
    if (distance == 1)
      run = size;
  }
  elements = std::min(elements, range);
  double total = elements * access.elementBytes;
  if (access.isPacked || elements <= run)
    return std::max(total, access.isPacked ? total : std::min<double>(lineBytes, run * access.elementBytes));
  // Short runs take whole lines of the cache.
  double runBytes = run * access.elementBytes;
  return total * std::max(1.0, std::min(static_cast<double>(lineBytes) / runBytes, range / elements));
}

double MemoryTraffic::footprintOf(llvm::function_ref<bool(unsigned)> isCounted) const {
  double bytes = 0;
  for (const Access &access : accesses)
    if (isCounted(access.buffer))
      bytes += access.bytes.front();
  return bytes;
}

double MemoryTraffic::traffic(double capacity) const {
  double total = 0;
  for (const Access &access : accesses) {
    double moved = access.bytes.back();
    for (size_t depth = iterations.size(); depth-- > 0;) {
      bool varies = (access.dims >> iterations[depth].dim) & 1;
      if (footprints[depth] <= capacity)
        moved = access.bytes[depth];
      else if (varies || footprints[depth + 1] > capacity)
        moved *= iterations[depth].trips;
    }
    total += moved;
  }
  return total;
}

} // namespace cameo::autotune
