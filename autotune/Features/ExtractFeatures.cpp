#include "autotune/Features/ExtractFeatures.h"

#include "autotune/Features/EstimateCycles.h"
#include "passes/Schedule/Rules/Complete/CompleteSchedules.h"

#include <cmath>

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

class Extractor {
public:
  Extractor(const TaskProgram &program, const NestGroup &group, const NestFacts &facts, const NestSchedule &schedule,
            const Execution &execution, float *row)
      : program(program), facts(facts), nest(*facts.nest), schedule(schedule), execution(execution),
        shape(blockShape(nest, schedule, group.rowDims)), traffic(facts, schedule, group.rowDims), row(row) {
    this->execution.weightBytes =
        traffic.footprintOf([&](unsigned buffer) { return program.buffers[buffer].packable; });
  }

  /// Fills the row but for what depends on other nests; gives the estimated cycles.
  double run() {
    cycles = estimateCycles(facts, schedule, shape, traffic, execution);
    addStructure();
    addBlock();
    addOperands();
    addMemory();
    addCycles();
    return cycles.total;
  }

private:
  void set(Feature feature, double value) { row[static_cast<size_t>(feature)] = static_cast<float>(value); }
  void setLog(Feature feature, double value) { set(feature, std::log2(1 + value)); }

  void addStructure() {
    double parallel = 1, reduction = 1;
    for (const Dimension &dim : nest.dims)
      (dim.reduction ? reduction : parallel) *= static_cast<double>(dim.extent);
    setLog(Feature::Operations, facts.operations * parallel * reduction);
    setLog(Feature::ParallelPoints, parallel);
    setLog(Feature::ReductionPoints, reduction);
    set(Feature::Reductions, nest.reductions.size());
    set(Feature::Outputs, nest.outputs.size());
    set(Feature::Transcendentals, facts.transcendentals);
    unsigned reductionLoops =
        llvm::count_if(schedule.loops, [&](const Loop &loop) { return nest.dims[loop.dim].reduction; });
    set(Feature::ReductionDepth, reductionLoops);
    set(Feature::ParallelDepth, schedule.loops.size() - reductionLoops);
    setLog(Feature::ParallelPieces, static_cast<double>(execution.pieces));
    set(Feature::Balance, cycles.balance);
    set(Feature::Partial, schedule.partialLoop.has_value());
  }

  void addBlock() {
    double vectors = 1;
    if (schedule.vectorDim) {
      unsigned dim = *schedule.vectorDim;
      vectors = nest.dims[dim].reduction ? 1 : shape.steps[dim];
      double lanes = shape.steps[dim] * shape.pieces[dim] * schedule.lanes;
      set(Feature::LaneUse, static_cast<double>(nest.dims[dim].extent) / lanes);
      set(Feature::ReducesLanes, nest.dims[dim].reduction);
    }
    set(Feature::Lanes, std::log2(schedule.lanes));
    set(Feature::BlockVectors, vectors);
    set(Feature::BlockPoints, shape.parallelSteps / vectors);
    set(Feature::BlockTotal, shape.parallelSteps);
    set(Feature::Unrolled, shape.reductionSteps);
    setLog(Feature::InnerTrips, schedule.loops.empty() ? 1 : traffic.trips(traffic.depths() - 1));
    double available = static_cast<double>(execution.machine.vectorRegisters);
    set(Feature::Registers, cycles.registers / available);
    set(Feature::Spilled, std::max(0.0, cycles.registers - available));
    setLog(Feature::EmittedPoints, shape.parallelSteps * shape.reductionSteps);
  }

  void addOperands() {
    double packed = 0, copied = 0, fetched = 0;
    for (unsigned number : schedule.packedBuffers) {
      const Buffer &buffer = program.buffers[number];
      double bytes = 4.0 * static_cast<double>(buffer.elements);
      packed += bytes;
      copied += buffer.packable ? 0 : bytes;
      fetched += llvm::is_contained(schedule.prefetchedBuffers, number) ? bytes : 0;
    }
    setLog(Feature::PackedBytes, packed);
    setLog(Feature::CopiedBytes, copied);
    setLog(Feature::PrefetchedBytes, fetched);
    cycles.total += copied / execution.machine.nearBytesPerCycle;
    double stridedLoads = 0;
    unsigned stridedStores = 0;
    if (schedule.vectorDim) {
      for (const NestFacts::Access &read : nest.hasReduction() ? facts.reductionReads : facts.outputReads) {
        int64_t stride = read.address->coefficients[*schedule.vectorDim];
        stridedLoads +=
            stride != 0 && stride != 1 && !llvm::is_contained(schedule.packedBuffers, read.buffer) ? read.count : 0;
      }
      for (const Output &output : nest.outputs)
        stridedStores += output.address.coefficients[*schedule.vectorDim] != 1;
    }
    set(Feature::StridedLoads, stridedLoads);
    set(Feature::StridedStores, stridedStores);
    set(Feature::LoadsPerStep, std::log2(1 + cycles.loadsPerStep));
    set(Feature::OperationsPerLoad, cycles.operationsPerStep / std::max(1.0, cycles.loadsPerStep));
  }

  void addMemory() {
    size_t last = traffic.depths() - 1, block = traffic.blockDepth();
    setLog(Feature::StepBytes, traffic.footprint(last > 0 ? last - 1 : 0));
    setLog(Feature::BlockBytes, traffic.footprint(block));
    setLog(Feature::TileBytes, traffic.footprint(block > 0 ? block - 1 : 0));
    setLog(Feature::OuterTileBytes, traffic.footprint(block > 1 ? block - 2 : 0));
    setLog(Feature::TotalBytes, traffic.footprint(0));
    setLog(Feature::FirstLevelTraffic, traffic.traffic(firstLevelBytes * 0.75));
    setLog(Feature::SecondLevelTraffic, traffic.traffic(static_cast<double>(execution.machine.l2Bytes) * 0.75));
  }

  void addCycles() {
    setLog(Feature::ArithmeticCycles, cycles.arithmetic);
    setLog(Feature::LoadCycles, cycles.loads);
    setLog(Feature::LatencyCycles, cycles.latency);
    setLog(Feature::StoreCycles, cycles.stores);
    setLog(Feature::OverheadCycles, cycles.overhead);
    setLog(Feature::FirstLevelCycles, cycles.firstLevel);
    setLog(Feature::MemoryCycles, cycles.memory);
    setLog(Feature::NestCycles, cycles.total);
  }

  const TaskProgram &program;
  const NestFacts &facts;
  const LoopNest &nest;
  const NestSchedule &schedule;
  Execution execution;
  BlockShape shape;
  MemoryTraffic traffic;
  float *row;
  Cycles cycles;
};

} // namespace

FeatureExtractor::FeatureExtractor(const TaskProgram &program, const Machine &machine, unsigned threads)
    : program(program), machine(machine), threads(threads) {
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests)
      facts.emplace_back(nest);
}

FeatureMatrix FeatureExtractor::extract(llvm::ArrayRef<NestSchedule> given) const {
  // The loops that are emitted. Their memory is kept for the next candidate: to allocate it took as long as to complete
  // them.
  static thread_local std::vector<NestSchedule> schedules;
  schedules.assign(given.begin(), given.end());
  completeSchedules(program, schedules, machine);
  FeatureMatrix matrix;
  matrix.values.resize(schedules.size() * featureCount);
  std::vector<double> cycles;
  double total = 0, operations = 1;
  for (const NestGroup &group : program.groups) {
    Execution execution{machine, threads,
                        parallelExtent(group, llvm::ArrayRef(schedules).slice(cycles.size(), group.nests.size()))};
    for (size_t end = cycles.size() + group.nests.size(); cycles.size() < end;) {
      size_t number = cycles.size();
      float *row = matrix.values.data() + number * featureCount;
      cycles.push_back(Extractor(program, group, facts[number], schedules[number], execution, row).run());
      total += cycles.back();
      operations += std::exp2(matrix.at(number, Feature::Operations));
    }
  }
  for (size_t number = 0; number < cycles.size(); ++number) {
    auto set = [&](Feature feature, double value) {
      matrix.values[number * featureCount + static_cast<size_t>(feature)] = static_cast<float>(value);
    };
    set(Feature::TaskCycles, std::log2(1 + total));
    set(Feature::TaskShare, cycles[number] / total);
    set(Feature::TaskNests, cycles.size());
    set(Feature::CyclesPerOperation, std::log2(total / operations));
  }
  return matrix;
}

} // namespace cameo::autotune
