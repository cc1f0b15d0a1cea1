#include "utils/Driver/Inspect/ListKernels.h"

#include "dialects/Task/TaskDialect.h"
#include "passes/Codegen/Gpu/DeviceCode.h"
#include "passes/Codegen/Gpu/FindDependences.h"
#include "utils/Driver/CheckGpu.h"
#include "utils/Driver/Inspect/CountKernelWork.h"
#include "utils/Driver/PhaseRunner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace cameo;
using namespace mlir;

namespace {

/// Reads the steps of a plan in the order in which a run executes them.
class KernelLister {
public:
  KernelLister(ModuleOp module, const ModelPlan &plan) : symbols(module), plan(plan), uses(findBufferUses(module)) {}

  void run(KernelList &into);

private:
  KernelSummary summarize(const PlannedStep &step, size_t number);
  int64_t dynamicBytesOf(func::FuncOp kernel);
  static std::optional<double> trafficOf(const PlannedStep &step, ArrayRef<std::optional<double>> accessed,
                                         llvm::function_ref<bool(size_t buffer)> counts);

  SymbolTable symbols;
  const ModelPlan &plan;
  BufferUses uses;
};

} // namespace

/// Adds up the bytes of the buffers that count, each at most as large as it is. `accessed` has the bytes of all blocks.
std::optional<double> KernelLister::trafficOf(const PlannedStep &step, ArrayRef<std::optional<double>> accessed,
                                              llvm::function_ref<bool(size_t buffer)> counts) {
  double sum = 0;
  for (auto [buffer, place] : llvm::enumerate(step.buffers)) {
    if (!counts(buffer))
      continue;
    if (!place.bytes && !accessed[buffer])
      return std::nullopt;
    auto size = static_cast<double>(place.bytes.value_or(0));
    sum += !place.bytes ? *accessed[buffer] : std::min(size, accessed[buffer].value_or(size));
  }
  return sum;
}

/// Returns the shared memory for which launches ask, as code generation counts it (passes/Codegen/Gpu/ShareMemory).
int64_t KernelLister::dynamicBytesOf(func::FuncOp kernel) {
  llvm::SmallSetVector<Operation *, 4> memory;
  kernel.walk([&](memref::GetGlobalOp use) {
    if (use.getType().getMemorySpaceAsInt() != 0)
      memory.insert(symbols.lookup(use.getName()));
  });
  int64_t bytes = 0;
  for (Operation *each : memory) {
    auto global = cast<memref::GlobalOp>(each);
    MemRefType type = global.getType();
    int64_t own = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    bytes = llvm::alignTo(bytes, global.getAlignment().value_or(1)) + own;
  }
  return bytes > GpuMachine::staticSharedBytes ? bytes : 0;
}

KernelSummary KernelLister::summarize(const PlannedStep &step, size_t number) {
  auto kernel = symbols.lookup<func::FuncOp>(step.kernel);
  auto block = kernel->getAttrOfType<task::BlockAttr>(task::TaskDialect::getBlockName());
  assert(block && "kernels for a GPU run by block");
  KernelSummary summary{deviceNameOf(step.kernel, number),
                        step.task ? plan.tasks[*step.task].name : "",
                        /*launches=*/0,
                        block.getThreads(),
                        block.getCluster(),
                        dynamicBytesOf(kernel),
                        {},
                        {},
                        {}};
  std::optional<int64_t> blocks;
  if (step.extent.isStatic())
    blocks = step.extent.getSize();
  KernelWork work = countKernelWork(kernel, block.getThreads(), blocks);
  for (const KernelWork::Piece &piece : work.pieces)
    summary.pieces.push_back({piece.blocks, piece.multiplyAdds, piece.accessedBytes, piece.parts});
  ArrayRef<BufferUse> own = uses[step.kernel];
  summary.readBytes = trafficOf(step, work.buffers, [&](size_t buffer) { return own[buffer].isRead; });
  summary.writtenBytes = trafficOf(step, work.buffers, [&](size_t buffer) { return own[buffer].isWritten; });
  summary.weightBytes = trafficOf(step, work.buffers, [&](size_t buffer) {
                          return own[buffer].isRead && step.buffers[buffer].base == BufferPlace::Base::Weights;
                        }).value_or(0);
  return summary;
}

void KernelLister::run(KernelList &into) {
  llvm::MapVector<StringRef, KernelSummary> found;
  SmallVector<int64_t> tripCounts = {1}; // of the loops around the step, multiplied
  for (const PlannedStep &step : plan.steps) {
    switch (step.kind) {
    case PlannedStep::Kind::Repeat:
      tripCounts.push_back(tripCounts.back() *
                           (step.maxTripCount && step.maxTripCount->isStatic() ? step.maxTripCount->getSize() : 1));
      break;
    case PlannedStep::Kind::Next:
      tripCounts.pop_back();
      break;
    case PlannedStep::Kind::Copy:
      into.copies += tripCounts.back();
      break;
    case PlannedStep::Kind::Kernel: {
      auto known = found.find(step.kernel);
      if (known == found.end())
        known = found.insert({step.kernel, summarize(step, found.size())}).first;
      known->second.launches += tripCounts.back();
      break;
    }
    default:
      break;
    }
  }
  for (auto &[name, summary] : found)
    into.kernels.push_back(std::move(summary));
}

std::optional<KernelList> cameo::listKernels(const CompileOptions &options) {
  PhaseRunner phases(options);
  if (failed(phases.resolveTarget()) || failed(phases.import()) || failed(phases.runUntil(Phase::Memory)))
    return std::nullopt;
  FailureOr<ModelPlan> plan = ModelPlan::read(phases.module());
  if (failed(plan))
    return std::nullopt;
  KernelList list{phases.target().gpu, {}, 0};
  KernelLister(phases.module(), *plan).run(list);
  return list;
}
