// --emit-gpu-kernels: emits the nests of each task as GPU kernels.
#include "dialects/Target/TargetDialect.h"
#include "passes/Schedule/Emission/Gpu/EmitBlocks.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Steps/ScheduledProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace cameo {
#define GEN_PASS_DEF_EMITGPUKERNELSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

struct EmitGpuKernels : impl::EmitGpuKernelsPassBase<EmitGpuKernels> {
  using Base::Base;

  void runOnOperation() override {
    const GpuMachine *gpu = gpuOf(getOperation());
    int64_t mostSharedBytes = gpu ? gpu->blockSharedBytes : GpuMachine::staticSharedBytes;
    for (auto def : llvm::make_early_inc_range(getOperation().getOps<task::DefOp>())) {
      if (!schedule::programOf(def))
        continue;
      schedule::LoopForm form = schedule::readLoops(def);
      if (form.schedules.empty()) {
        unsigned nests = schedule::countNests(form.program);
        form.schedules.resize(nests);
        form.gpuSchedules.resize(nests);
      }
      schedule::emitBlocks(def, form.program, {form.schedules, form.gpuSchedules}, form.packings, dependentLaunch,
                           clusters, mostSharedBytes);
    }
  }
};

} // namespace
} // namespace cameo
