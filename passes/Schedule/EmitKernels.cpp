// Emits kernels of tasks whose nests have loops.
#include "dialects/Target/TargetDialect.h"
#include "passes/Schedule/Emission/Cpu/EmitTask.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Steps/VerifySchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace cameo {
#define GEN_PASS_DEF_EMITKERNELSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// Returns why the order of a nest is invalid; empty if all nests can be emitted.
std::string verifyLoops(const schedule::LoopForm &form, const Machine &machine) {
  size_t number = 0, nests = 0;
  for (const schedule::NestGroup &group : form.program.groups)
    nests += group.nests.size();
  if (form.schedules.size() < nests)
    return "expected each nest to have an order";
  for (const schedule::NestGroup &group : form.program.groups)
    for (const schedule::LoopNest &nest : group.nests)
      if (std::string wrong = schedule::verify(nest, form.schedules[number++], group.rowDims, machine); !wrong.empty())
        return llvm::formatv("nest {0}: {1}", number - 1, wrong);
  return "";
}

struct EmitKernels : impl::EmitKernelsPassBase<EmitKernels> {
  void runOnOperation() override {
    Machine machine = machineOf(getOperation());
    for (auto def : llvm::make_early_inc_range(getOperation().getOps<task::DefOp>())) {
      if (!schedule::programOf(def))
        continue;
      schedule::LoopForm form = schedule::readLoops(def);
      if (std::string wrong = verifyLoops(form, machine); !wrong.empty()) {
        def.emitError("the loops cannot be emitted: ") << wrong;
        return signalPassFailure();
      }
      schedule::emitTask(def, form.program, form.schedules, form.packings, machine);
    }
  }
};

} // namespace
} // namespace cameo
