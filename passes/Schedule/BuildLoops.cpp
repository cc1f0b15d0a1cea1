// Builds loop nests from the bodies of tasks.
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/Loops/WriteLoops.h"
#include "passes/Schedule/Nests/Build/BuildNests.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace cameo {
#define GEN_PASS_DEF_BUILDLOOPSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

struct BuildLoops : impl::BuildLoopsPassBase<BuildLoops> {
  void runOnOperation() override {
    schedule::ConstantArguments constants(getOperation());
    for (auto def : getOperation().getOps<task::DefOp>()) {
      if (def.isBufferForm() || schedule::programOf(def))
        continue;
      llvm::Expected<schedule::TaskProgram> program = schedule::buildNests(def, constants.of(def));
      if (program)
        schedule::writeLoops(def, {std::move(*program), {}, {}});
      else
        def.emitRemark("is lowered on the naive path: ") << llvm::toString(program.takeError());
    }
  }
};

} // namespace
} // namespace cameo
