#include "passes/Schedule/Rules/Gpu/TensorModel.h"

#include "passes/Schedule/Rules/Gpu/TensorProduct.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cmath>

namespace cameo::schedule {

/// Instructions that convert an f32 number to tf32, to two parts of tf32, and to 16 bits, as ptxas emits them.
static constexpr double convertIssue = 2, splitIssue = 5, halveIssue = 0.5;

double productsPerCycle(const GpuMachine &gpu, const TensorShape &shape) {
  constexpr int64_t depthOfHalves = 16;
  constexpr double groupSpeed = 0.96 / 0.63;
  return (shape.kind == TensorKind::Wgmma ? groupSpeed : 1) * static_cast<double>(gpu.matrixProducts * shape.depth) /
         static_cast<double>(depthOfHalves * productsOf(shape.kind));
}

double issueOfConversion(TensorKind kind) {
  switch (kind) {
  case TensorKind::Mma:
  case TensorKind::Wgmma:
    return 0;
  case TensorKind::Mma3xTf32:
    return splitIssue;
  case TensorKind::MmaTf32:
    return convertIssue;
  case TensorKind::MmaF16:
  case TensorKind::MmaBf16:
    return halveIssue;
  }
  llvm_unreachable("unknown kind");
}

/// Cycles of the units of a multiprocessor, which work side by side: the matrix unit, the schedulers, the integer
/// units, the shared memory, the share of the second-level cache, and what comes from others of a cluster.
using Units = std::array<double, 6>;

/// Returns the cycles in which a multiprocessor executes `rounds` blocks of `work`.
static Units unitsOf(const TensorWork &work, double rounds) {
  double warps = rounds * work.warps;
  auto ofWarps = [&](double TensorWork::Code::*field) {
    return warps * (work.steps * work.step.*field + work.rest.*field);
  };
  return {rounds * work.unitCycles,
          ofWarps(&TensorWork::Code::instructions) / (tensorSchedulers * fullIssue),
          ofWarps(&TensorWork::Code::integers) * GpuMachine::warpThreads / integerThreads,
          ofWarps(&TensorWork::Code::sharedBytes) / sharedBytesPerCycle,
          rounds * work.cachedBytes / cacheBytesPerCycle,
          work.cluster > 1 ? rounds * work.partsBytes / neighbourBytesPerCycle : 0};
}

double busiestCyclesOf(const TensorWork &work) { return *llvm::max_element(unitsOf(work, 1)); }

/// Blocks wait for fetches side by side as far as a multiprocessor has room for them. The last block of those that
/// divide a sum counts its arrival and reads the parts when all others are done. Blocks of a cluster meet before they
/// read from each other, and behind that.
static double latencyOf(const TensorWork &work, double turns) {
  double stalls = stepStall + plainStall * work.step.instructions + productStall * work.step.products,
         fetch = work.steps > work.ahead ? fetchedCycles / work.ahead : 0,
         step = std::max(stalls + barrierCycles + loadedCycles, fetch);
  double block = fetchedCycles + work.steps * step;
  if (work.cluster > 1)
    block += 2 * meetingCycles + neighbourCycles + work.partsBytes / neighbourBytesPerCycle;
  else if (work.isSplit)
    block += 2 * fetchedCycles + work.partsBytes / aloneBytesPerCycle;
  return block * std::max(1.0, turns);
}

/// Returns how many blocks of each piece the multiprocessor has that is busy for longest.
static llvm::SmallVector<double> roundsOfBusiest(llvm::ArrayRef<TensorWork> pieces, double processors) {
  llvm::SmallVector<double> costs, ends(1, 0);
  for (const TensorWork &work : pieces) {
    costs.push_back(busiestCyclesOf(work));
    ends.push_back(ends.back() + work.blocks);
  }
  // Multiprocessor n has block n, and every further one that is `processors` later.
  auto before = [&](double end, double number) { return std::ceil((end - number) / processors); };
  llvm::SmallVector<double> busiest;
  double most = 0;
  for (double begin : llvm::ArrayRef(ends).drop_back()) {
    double number = std::fmod(begin, processors), cycles = 0;
    llvm::SmallVector<double> rounds;
    for (size_t piece = 0; piece < pieces.size(); ++piece) {
      rounds.push_back(before(ends[piece + 1], number) - before(ends[piece], number));
      cycles += rounds.back() * costs[piece];
    }
    if (cycles > most) {
      most = cycles;
      busiest = std::move(rounds);
    }
  }
  return busiest;
}

double sharedBytesOf(llvm::ArrayRef<TensorWork> pieces) {
  double left = 0, right = 0, vectors = 0;
  for (const TensorWork &work : pieces) {
    left = std::max(left, work.leftBytes);
    right = std::max(right, work.rightBytes);
    vectors = std::max(vectors, work.vectorBytes);
  }
  return left + right + vectors;
}

/// Returns how many blocks a multiprocessor has room for.
static double residentBlocks(double registers, double threads, double sharedBytes, const GpuMachine &gpu) {
  return std::max(1.0,
                  std::floor(std::min({static_cast<double>(gpu.registers) / (registers * threads),
                                       static_cast<double>(gpu.sharedBytes) / sharedBytes, heldThreads / threads})));
}

/// Returns the cycles of units that work side by side, and of the latency of blocks.
static double joined(const Units &units, double latency) {
  double powers = std::pow(latency, unitOverlap);
  for (double cycles : units)
    powers += std::pow(cycles, unitOverlap);
  return std::pow(powers, 1 / unitOverlap);
}

double chainCyclesOf(llvm::ArrayRef<const TensorWork *> products, double sharedBytes, const GpuMachine &gpu) {
  const TensorWork &first = *products.front();
  double registers = 0, rounds = std::ceil(first.blocks / static_cast<double>(gpu.processors));
  for (const TensorWork *work : products)
    registers = std::max(registers, work->registers);
  double turns = rounds / residentBlocks(registers, first.warps * GpuMachine::warpThreads, sharedBytes, gpu),
         latency = 0, between = 0;
  Units units = {};
  for (const TensorWork *work : products) {
    double parts = work->blocks / first.blocks;
    for (auto [all, own] : llvm::zip_equal(units, unitsOf(*work, parts * rounds)))
      all += own;
    latency += parts * latencyOf(*work, turns);
    between += parts * work->rest.instructions;
  }
  // A block computes the results of a product before it begins with the next one.
  between -= products.back()->rest.instructions;
  return launchedCycles + joined(units, latency + plainStall * between * std::max(1.0, turns));
}

double memoryCyclesOf(double bytes, const GpuMachine &gpu) {
  constexpr double cacheShare = 0.8, memoryShare = 0.9;
  double bytesPerCycle = static_cast<double>(gpu.memoryGigabytes) * 1e3 / static_cast<double>(gpu.megahertz);
  return bytes > cacheShare * static_cast<double>(gpu.l2Bytes) ? bytes / (memoryShare * bytesPerCycle) : 0;
}

double cyclesOf(llvm::ArrayRef<TensorWork> pieces, const GpuMachine &gpu) {
  double registers = 0, threads = 0;
  for (const TensorWork &work : pieces) {
    registers = std::max(registers, work.registers);
    threads = std::max(threads, work.warps * GpuMachine::warpThreads);
  }
  double resident = residentBlocks(registers, threads, sharedBytesOf(pieces), gpu);
  Units units = {};
  double latency = 0;
  auto processors = static_cast<double>(gpu.processorsFor(pieces.front().cluster));
  for (auto [work, rounds] : llvm::zip_equal(pieces, roundsOfBusiest(pieces, processors))) {
    for (auto [all, own] : llvm::zip_equal(units, unitsOf(work, rounds)))
      all += own;
    latency = std::max(latency, rounds > 0 ? latencyOf(work, rounds / resident) : 0);
  }
  return launchedCycles + joined(units, latency);
}

} // namespace cameo::schedule
