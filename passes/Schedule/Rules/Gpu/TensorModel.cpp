#include "passes/Schedule/Rules/Gpu/TensorModel.h"

#include "passes/Schedule/Rules/Gpu/TensorProduct.h"

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

double issueRate(double warps) {
  return warps < 1 ? aloneIssue * warps : std::min(mostIssue, aloneIssue + addedIssue * (warps - 1));
}

} // namespace cameo::schedule
