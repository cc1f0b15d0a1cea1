// The dot step: multiplies bytes in groups of four.
#include "passes/Schedule/Rules/ByteDot.h"
#include "passes/Schedule/Steps/GpuRules.h"
#include "passes/Schedule/Steps/NestRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

std::string verifyDot(const NestToVerify &of) {
  const auto &[nest, schedule, rowDims, machine] = of;
  if (!schedule.dotDim)
    return "";
  unsigned dim = *schedule.dotDim;
  if (dim >= nest.dims.size() || !nest.dims[dim].reduction || !nest.dims[dim].extent.isKnown())
    return llvm::formatv("expected a reduction of known length to contract in groups, got dimension {0}", dim);
  std::optional<ByteDot> dot = matchByteDot(nest, schedule);
  if (!dot)
    return "expected a sum of products of bytes to contract in groups, one factor along the vector dimension";
  if (!canMultiply(machine, *dot, schedule.lanes))
    return llvm::formatv("expected bytes whose groups the target can multiply, got {0} by {1} bytes in vectors of {2}",
                         dot->products.front().shared.isSigned ? "signed" : "unsigned",
                         dot->products.front().varying.isSigned ? "signed" : "unsigned", schedule.lanes);
  const Node &varying = nest.nodes[dot->varying()];
  bool isShared = llvm::all_of(dot->products, [&](const ByteProduct &product) {
    return nest.nodes[product.shared.load].address.coefficients[dim] == 1;
  });
  if (!isShared)
    return llvm::formatv("expected the factor that lanes share to be contiguous along dimension {0}", dim);
  bool isPacked = varying.packed || llvm::is_contained(schedule.packedBuffers, varying.buffer);
  if (varying.address.coefficients[dim] == 0 || !isPacked)
    return "expected the factor that varies along the vector dimension to be packed";
  if (!hasGroupsAlong(nest, *dot, dim))
    return llvm::formatv(
        "expected scales to be the same along dimension {0}, and other terms to be added only at its first index", dim);
  if (schedule.partialLoop && !dot->isScaled())
    return "expected no partial results of exact sums";
  for (const Loop &loop : schedule.loops)
    if (loop.dim == dim && loop.size % dotGroup != 0 && loop.size < nest.dims[dim].extent)
      return llvm::formatv("expected a multiple of {0} as tile size of dimension {1}, got {2}", dotGroup, dim,
                           loop.size);
  return "";
}

/// Verifies groups on a GPU: a thread multiplies four steps of a reduction at once, with bytes in shared memory.
std::string verifyGroups(const GpuNestToVerify &of) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  if (!schedule.dotDim)
    return "";
  std::optional<std::pair<ByteFactor, ByteFactor>> factors = matchByteProducts(nest);
  if (!factors || !isTiled(nest, schedule, gpuSchedule))
    return "expected a sum of products of bytes, in blocks of points, to contract in groups";
  unsigned dim = *schedule.dotDim;
  if (dim >= nest.dims.size() || !nest.dims[dim].reduction)
    return llvm::formatv("expected a reduction to contract in groups, got dimension {0}", dim);
  llvm::SmallVector<NodeId> cached = cachedLoads(nest, gpuSchedule);
  if (!llvm::is_contained(cached, factors->first.load) || !llvm::is_contained(cached, factors->second.load))
    return "expected bytes in shared memory to contract in groups";
  int64_t steps = tileOf(nest, schedule, gpuSchedule).dims[dim].block,
          atOnce = dim + 1 == nest.dims.size() ? gpuSchedule.unroll : 0;
  if (steps % dotGroup != 0 || atOnce % dotGroup != 0)
    return llvm::formatv("expected multiples of {0} steps between fetches and at once, got {1} and {2}", dotGroup,
                         steps, atOnce);
  return "";
}

namespace {

struct DotEffect : StepEffectInterface::ExternalModel<DotEffect, DotAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<DotAttr>(attr);
    state.schedules[step.getNest()].dotDim = step.getDim();
    return llvm::Error::success();
  }

  std::string explain(mlir::Attribute, const ScheduledProgram &) const {
    return "groups of " + std::to_string(dotGroup) + " bytes";
  }
};

} // namespace

template <> void attachEffect<DotAttr>(mlir::MLIRContext &context) { DotAttr::attachInterface<DotEffect>(context); }

} // namespace cameo::schedule
