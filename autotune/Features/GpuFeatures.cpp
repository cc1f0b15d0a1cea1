#include "autotune/Features/GpuFeatures.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace cameo::schedule;

namespace cameo::autotune {

const char *nameOf(GpuFeature feature) {
  static constexpr const char *names[] = {
      "operations",      "parallel-points",  "reduction-points",
      "transcendentals", "is-tiled",         "reduces-together",
      "blocks",          "splits",           "threads",
      "thread-points",   "thread-columns",   "lanes",
      "unrolled",        "registers",        "shared-bytes",
      "stages",          "is-async",         "fetched-steps",
      "fetches",         "fetched-bytes",    "operations-per-byte",
      "resident-blocks", "resident-threads", "waves",
      "wave-use",        "edge-use",         "uses-tensor",
  };
  static_assert(std::size(names) == static_cast<size_t>(GpuFeature::Count), "every feature has a name");
  return names[static_cast<size_t>(feature)];
}

namespace {

/// Of a block whose threads have a point each, and of all those that a multiprocessor runs at once.
constexpr double plainThreads = 128, residentThreads = 2048, residentBlocks = 32;
/// Of a multiprocessor: multiply-adds per cycle, bytes per cycle from the second-level cache, and cycles until a load
/// has its value.
constexpr double operationsPerCycle = 128, bytesPerCycle = 24, loadCycles = 500;

/// Row by row what one nest is on the device.
class Row {
public:
  Row(const NestFacts &facts, const ThreadSchedule &schedule, const GpuMachine &gpu, float *row)
      : facts(facts), nest(*facts.nest), schedule(schedule), gpu(gpu), row(row) {}

  /// Fills what does not depend on other nests; gives the cycles.
  double fill(std::optional<double> rulesCycles) {
    addNest();
    addThreads();
    addFetches();
    addDevice();
    double cycles = rulesCycles.value_or(estimateCycles());
    row[static_cast<size_t>(Feature::NestCycles)] = static_cast<float>(std::log2(1 + cycles));
    return cycles;
  }

  double operations = 0;

private:
  void set(GpuFeature feature, double value) { row[static_cast<size_t>(feature)] = static_cast<float>(value); }
  void setLog(GpuFeature feature, double value) { set(feature, std::log2(1 + value)); }

  void addNest() {
    for (const Dimension &dim : nest.dims)
      (dim.reduction ? terms : points) *= static_cast<double>(int64_t(dim.extent));
    operations = facts.operations * points * terms;
    setLog(GpuFeature::Operations, operations);
    setLog(GpuFeature::ParallelPoints, points);
    setLog(GpuFeature::ReductionPoints, terms);
    set(GpuFeature::Transcendentals, facts.transcendentals);
  }

  void addThreads() {
    isTile = nest.hasKnownSizes() && isTiled(nest, schedule.loops, schedule.threads);
    bool isTogether = reducesTogether(nest, schedule.loops, schedule.threads);
    double lanes = schedule.loops.lanes, columns = lanes, edgeUse = 1;
    threadPoints = lanes;
    if (schedule.threads.bound.empty())
      for (const Loop &loop : schedule.loops.loops)
        threadPoints *= static_cast<double>(loop.size);
    if (isTile) {
      tile = tileOf(nest, schedule.loops, schedule.threads);
      blocks = static_cast<double>(tile.blocks);
      splits = static_cast<double>(tile.splits);
      threads = static_cast<double>(tile.threads);
      threadPoints = static_cast<double>(tile.points);
      edgeUse = points / (blocks * threads * threadPoints);
      for (auto [dim, dimension] : llvm::zip_equal(tile.dims, nest.dims))
        columns = dimension.reduction ? columns : static_cast<double>(dim.thread * dim.parts());
    } else if (isTogether) {
      blocks = points;
      threads = static_cast<double>(GpuMachine::warpThreads);
      for (const BoundLoop &each : schedule.threads.bound)
        if (each.to == Binding::Thread)
          threads = std::max(threads, static_cast<double>(llvm::divideCeil(
                                          int64_t(nest.dims[schedule.loops.loops[each.loop].dim].extent),
                                          schedule.loops.loops[each.loop].size)));
      threads = std::min(threads, static_cast<double>(GpuMachine::mostThreads));
    } else {
      threads = plainThreads;
      blocks = std::ceil(points / threadPoints / threads);
      if (std::optional<Loop> split = splitLoop(nest, schedule.loops, schedule.threads))
        splits = static_cast<double>(llvm::divideCeil(int64_t(nest.dims[split->dim].extent), split->size));
    }
    set(GpuFeature::IsTiled, isTile);
    set(GpuFeature::ReducesTogether, isTogether);
    set(GpuFeature::UsesTensor, schedule.threads.tensor.has_value());
    setLog(GpuFeature::Blocks, blocks * splits);
    setLog(GpuFeature::Splits, splits);
    setLog(GpuFeature::Threads, threads);
    setLog(GpuFeature::ThreadPoints, threadPoints);
    setLog(GpuFeature::ThreadColumns, columns);
    setLog(GpuFeature::Lanes, lanes);
    setLog(GpuFeature::Unrolled, static_cast<double>(schedule.threads.unroll));
    set(GpuFeature::EdgeUse, edgeUse);
    // Sums, a row and a column of factors, and addresses.
    constexpr double addresses = 24;
    registers = addresses + threadPoints * std::max<double>(1, static_cast<double>(nest.reductions.size())) + columns +
                threadPoints / columns;
    setLog(GpuFeature::Registers, registers);
  }

  void addFetches() {
    double steps = 1, fetches = 1;
    if (isTile) {
      shared = static_cast<double>(sharedBytes(nest, schedule.threads, tile));
      for (auto [dim, dimension] : llvm::zip_equal(tile.dims, nest.dims))
        if (dimension.reduction) {
          steps *= static_cast<double>(dim.block);
          fetches *= static_cast<double>(dim.fetches());
        }
      bytes = shared / schedule.threads.stages * fetches * blocks * splits;
    } else {
      for (const NestFacts::Access &read : facts.reductionReads)
        bytes += read.count * static_cast<double>(read.elementBytes) * points * terms / (isWarpWide(read) ? 1 : 4);
    }
    for (const NestFacts::Access &write : facts.writes)
      bytes += write.count * static_cast<double>(write.elementBytes) * points * splits;
    setLog(GpuFeature::SharedBytes, shared);
    set(GpuFeature::Stages, schedule.threads.stages);
    set(GpuFeature::IsAsync, schedule.threads.copy == Copy::Async);
    setLog(GpuFeature::FetchedSteps, steps);
    setLog(GpuFeature::Fetches, fetches);
    setLog(GpuFeature::FetchedBytes, bytes);
    set(GpuFeature::OperationsPerByte, std::log2((1 + operations) / (1 + bytes)));
  }

  /// Whether neighbouring points read neighbours; the same value serves a warp.
  bool isWarpWide(const NestFacts::Access &read) const {
    for (unsigned dim = nest.dims.size(); dim-- > 0;)
      if (!nest.dims[dim].reduction)
        return (read.dims >> dim) & 1;
    return false;
  }

  void addDevice() {
    resident = std::min(residentBlocks, residentThreads / threads);
    resident = std::min(resident, static_cast<double>(gpu.registers) / (registers * threads));
    if (shared > 0)
      resident = std::min(resident, static_cast<double>(gpu.sharedBytes) / shared);
    resident = std::max(1.0, std::floor(resident));
    double atOnce = resident * static_cast<double>(gpu.processors);
    waves = std::ceil(blocks * splits / atOnce);
    setLog(GpuFeature::ResidentBlocks, resident);
    setLog(GpuFeature::ResidentThreads, resident * threads);
    setLog(GpuFeature::Waves, waves);
    set(GpuFeature::WaveUse, blocks * splits / (waves * atOnce));
  }

  /// What has no tile: as long as its operations, its bytes, or its loads one behind the other take.
  double estimateCycles() const {
    double busy = std::min(static_cast<double>(gpu.processors), blocks * splits);
    double warps = std::min(resident, std::ceil(blocks * splits / busy)) * threads / GpuMachine::warpThreads;
    double computed = operations / (busy * operationsPerCycle), moved = bytes / (busy * bytesPerCycle);
    double waited =
        waves * loadCycles *
        std::max(1.0, terms / splits / (row[static_cast<size_t>(GpuFeature::ReducesTogether)] != 0 ? threads : 4)) /
        std::max(1.0, warps / 4);
    return std::max({computed, moved, waited});
  }

  const NestFacts &facts;
  const LoopNest &nest;
  const ThreadSchedule &schedule;
  const GpuMachine &gpu;
  float *row;
  bool isTile = false;
  BlockTile tile;
  double points = 1, terms = 1, blocks = 1, splits = 1, threads = 1, threadPoints = 1, registers = 0, shared = 0,
         bytes = 0, resident = 1, waves = 1;
};

} // namespace

GpuFeatureExtractor::GpuFeatureExtractor(const TaskProgram &program, const GpuMachine &gpu) : gpu(gpu) {
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests)
      facts.emplace_back(nest);
}

FeatureMatrix GpuFeatureExtractor::extract(llvm::ArrayRef<NestChoice> nests) const {
  FeatureMatrix matrix;
  matrix.values.resize(nests.size() * featureCount);
  std::vector<double> cycles;
  double total = 0, operations = 1;
  for (auto [nest, of] : llvm::zip_equal(nests, facts)) {
    Row row(of, *nest.schedule, gpu, matrix.values.data() + cycles.size() * featureCount);
    cycles.push_back(row.fill(nest.cycles));
    total += cycles.back();
    operations += row.operations;
  }
  for (size_t number = 0; number < cycles.size(); ++number) {
    auto set = [&](Feature feature, double value) {
      matrix.values[number * featureCount + static_cast<size_t>(feature)] = static_cast<float>(value);
    };
    set(Feature::TaskCycles, std::log2(1 + total));
    set(Feature::TaskShare, cycles[number] / std::max(total, 1.0));
    set(Feature::TaskNests, static_cast<double>(cycles.size()));
    set(Feature::CyclesPerOperation, std::log2((1 + total) / operations));
  }
  return matrix;
}

} // namespace cameo::autotune
