#include "autotune/Features/EstimateCycles.h"

#include "passes/Schedule/Nests/TransposedLoads.h"

#include <cmath>

using namespace cameo::schedule;

namespace cameo::autotune {

constexpr double multiplyAddLatency = 4;
constexpr double blockOverheadCycles = 20, loopOverheadCycles = 1.5, storeCycles = 1.5, dispatchCycles = 8;
/// Putting aside a sum, and taking it up again.
constexpr double sumCycles = 2;

BlockShape blockShape(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims) {
  BlockShape shape;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
    llvm::SmallVector<std::pair<int64_t, double>> pieces = {{dim < rowDims ? 1 : int64_t(dimension.extent), 1.0}};
    for (const Loop &loop : schedule.loops) {
      if (loop.dim != dim)
        continue;
      llvm::SmallVector<std::pair<int64_t, double>> divided;
      for (auto [size, count] : pieces)
        for (const Segment &segment : segmentsOf(nest, schedule, loop, size))
          divided.push_back({segment.size, count * static_cast<double>(segment.count)});
      pieces = std::move(divided);
    }
    double count = 0, steps = 0;
    for (auto [size, times] : pieces) {
      count += times;
      steps += times * (schedule.vectorDim == dim ? std::ceil(static_cast<double>(size) / schedule.lanes) : size);
    }
    if (dim < rowDims)
      count = static_cast<double>(dimension.extent);
    shape.pieces.push_back(count);
    shape.steps.push_back(dim < rowDims ? 1 : steps / count);
    (dimension.reduction ? shape.reductionSteps : shape.parallelSteps) *= shape.steps.back();
    (dimension.reduction ? shape.iterations : shape.blocks) *= count;
  }
  return shape;
}

namespace {

class Estimator {
public:
  Estimator(const NestFacts &facts, const NestSchedule &schedule, const BlockShape &shape, const MemoryTraffic &traffic,
            const Execution &execution)
      : facts(facts), nest(*facts.nest), schedule(schedule), shape(shape), traffic(traffic), execution(execution) {}

  Cycles run() {
    countReduction();
    countOutputs();
    countMemory();
    combine();
    return cycles;
  }

private:
  /// Operations, and loads, of whole vectors.
  double unitsPerCycle() const { return execution.machine.multiplyAdds; }

  /// Instances of a value in one step of the block: it is computed once per point that it depends on.
  double instances(uint64_t dims) const {
    double count = 1;
    for (auto [dim, steps] : llvm::enumerate(shape.steps))
      if ((dims >> dim) & 1)
        count *= steps;
    return count;
  }

  double instructionsOf(llvm::ArrayRef<NestFacts::Work> work) const {
    double count = 0;
    for (const NestFacts::Work &each : work)
      count += instances(each.dims) * each.instructions;
    return count;
  }

  bool variesInVectors(const NestFacts::Access &access) const {
    return schedule.vectorDim && (access.dims >> *schedule.vectorDim) & 1;
  }

  /// Strided vectors take an instruction per lane, or fewer where the elements lie a little apart.
  double loadInstructions(const NestFacts::Access &read, bool isPacked) const {
    double count = read.count * instances(read.dims);
    if (isPacked || !variesInVectors(read))
      return count;
    const Size &stride = read.address->coefficients[*schedule.vectorDim];
    if (read.isGathered)
      return count * schedule.lanes;
    return stride == 0 || stride == 1
               ? count
               : count * static_cast<double>(instructionsOfSpread(stride, schedule.lanes).value_or(schedule.lanes));
  }

  /// How often a block is begun: once for each part of a reduction that is around points.
  double blockVisits() const {
    size_t rows = traffic.depths() - 1 - schedule.loops.size();
    double visits = 1;
    for (size_t depth = rows + 1; depth <= traffic.blockDepth(); ++depth)
      if (nest.dims[schedule.loops[depth - rows - 1].dim].reduction)
        visits *= traffic.trips(depth);
    return visits;
  }

  void countReduction() {
    if (!nest.hasReduction())
      return;
    cycles.operationsPerStep = instructionsOf(facts.reductionWork);
    for (const NestFacts::Access &read : facts.reductionReads)
      cycles.loadsPerStep += loadInstructions(read, llvm::is_contained(schedule.packedBuffers, read.buffer));
    double iterations = shape.blocks * shape.iterations, points = shape.parallelSteps;
    bool reducesLanes = schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction;
    double chains = reducesLanes ? std::min(8.0, shape.steps[*schedule.vectorDim]) : 1;
    cycles.arithmetic = iterations * cycles.operationsPerStep / unitsPerCycle();
    cycles.loads = iterations * cycles.loadsPerStep / unitsPerCycle();
    double waiting = schedule.combinesSteps ? 1 : shape.reductionSteps / chains;
    cycles.latency = iterations * waiting * multiplyAddLatency;
    double visits = blockVisits();
    cycles.overhead = iterations * loopOverheadCycles + shape.blocks * visits * blockOverheadCycles;
    cycles.overhead += shape.blocks * (visits - 1) * points * nest.reductions.size() * sumCycles;
    if (reducesLanes)
      cycles.overhead += shape.blocks * points * nest.reductions.size() * std::log2(2.0 * schedule.lanes) * 3;
    double held = 0;
    for (const NestFacts::Access &read : facts.reductionReads)
      if (!reducesLanes && variesInVectors(read))
        held = std::max(held, shape.steps[*schedule.vectorDim]);
    cycles.registers = points * chains * nest.reductions.size() + held + 1;
  }

  void countOutputs() {
    double instructions = instructionsOf(facts.outputWork), loads = 0, stores = 0;
    for (const NestFacts::Access &read : facts.outputReads)
      loads += loadInstructions(read, /*isPacked=*/false);
    for (const Output &output : nest.outputs) {
      bool reducesLanes = schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction;
      bool isStrided = schedule.vectorDim && !reducesLanes && output.address.coefficients[*schedule.vectorDim] != 1;
      stores += shape.parallelSteps * (isStrided ? schedule.lanes : 1);
    }
    cycles.arithmetic += shape.blocks * instructions / unitsPerCycle();
    cycles.loads += shape.blocks * loads / unitsPerCycle();
    cycles.stores = shape.blocks * stores * storeCycles;
    if (!nest.hasReduction())
      cycles.overhead = shape.blocks * loopOverheadCycles;
  }

  void countMemory() {
    cycles.firstLevel = traffic.traffic(firstLevelBytes * 0.75) / execution.machine.nearBytesPerCycle;
    double moved = traffic.traffic(static_cast<double>(execution.machine.l2Bytes) * 0.75),
           fromMemory = std::min(moved, execution.weightBytes);
    cycles.memory =
        fromMemory / execution.machine.memoryBytesPerCycle + (moved - fromMemory) / execution.machine.farBytesPerCycle;
    for (const NestFacts::Access &read : facts.reductionReads)
      if (llvm::is_contained(schedule.prefetchedBuffers, read.buffer))
        cycles.overhead += read.count * shape.blocks * shape.iterations; // the address of what is fetched
  }

  void combine() {
    double spilled = std::max(0.0, cycles.registers - static_cast<double>(execution.machine.vectorRegisters));
    double compute = std::max({cycles.arithmetic, cycles.loads, cycles.latency});
    compute *= 1 + 2 * spilled / std::max(1.0, cycles.registers);
    compute += cycles.stores + cycles.overhead;
    double largest = std::max({compute, cycles.firstLevel, cycles.memory});
    // Reading and computing overlap, but never quite.
    double share = schedule.prefetchedBuffers.empty() ? 0.25 : 0.15;
    cycles.total = largest + share * (compute + cycles.firstLevel + cycles.memory - largest);
    auto pieces = static_cast<double>(execution.pieces);
    cycles.balance = pieces / (std::ceil(pieces / execution.threads) * execution.threads);
    cycles.total = (cycles.total + pieces * dispatchCycles) / (cycles.balance * execution.threads);
  }

  const NestFacts &facts;
  const LoopNest &nest;
  const NestSchedule &schedule;
  const BlockShape &shape;
  const MemoryTraffic &traffic;
  const Execution &execution;
  Cycles cycles;
};

} // namespace

Cycles estimateCycles(const NestFacts &facts, const NestSchedule &schedule, const BlockShape &shape,
                      const MemoryTraffic &traffic, const Execution &execution) {
  return Estimator(facts, schedule, shape, traffic, execution).run();
}

} // namespace cameo::autotune
