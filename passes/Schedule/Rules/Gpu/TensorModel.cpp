#include "passes/Schedule/Rules/Gpu/TensorModel.h"

#include "passes/Schedule/Rules/Gpu/TensorProduct.h"

#include <cmath>

namespace cameo::schedule {

/// Instructions that convert an f32 number to tf32, to two parts of tf32, and to 16 bits, as ptxas emits them.
static constexpr double convertIssue = 2, splitIssue = 5, halveIssue = 0.5;

double productsPerCycle(const GpuMachine &gpu, const TensorShape &shape) {
  constexpr int64_t depthOfHalves = 16;
  return static_cast<double>(gpu.matrixProducts * shape.depth) /
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

/// Blocks wait for fetches side by side as far as a multiprocessor has room for them. The last block of those that
/// divide a sum counts its arrival and reads the parts when all others are done.
static double latencyOf(const TensorWork &work) {
  double stalls = stepStall + plainStall * work.step.instructions + productStall * work.step.products,
         step = std::max(stalls + barrierCycles + loadedCycles, fetchedCycles / work.ahead);
  double block = fetchedCycles + work.steps * step;
  if (work.isSplit)
    block += 2 * fetchedCycles + work.partsBytes / aloneBytesPerCycle;
  return block * std::max(1.0, work.rounds / work.resident);
}

double cyclesOf(const TensorWork &work) {
  double warps = work.rounds * work.warps;
  auto ofWarps = [&](double TensorWork::Code::*field) {
    return warps * (work.steps * work.step.*field + work.rest.*field);
  };
  double units[] = {
      work.rounds * work.unitCycles,
      ofWarps(&TensorWork::Code::instructions) / (tensorSchedulers * fullIssue),
      ofWarps(&TensorWork::Code::integers) * GpuMachine::warpThreads / integerThreads,
      ofWarps(&TensorWork::Code::sharedBytes) / sharedBytesPerCycle,
      work.rounds * work.cachedBytes / cacheBytesPerCycle,
      latencyOf(work),
  };
  double powers = 0;
  for (double cycles : units)
    powers += std::pow(cycles, unitOverlap);
  return launchedCycles + std::pow(powers, 1 / unitOverlap);
}

} // namespace cameo::schedule
