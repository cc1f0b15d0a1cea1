// Shows the loop nests that schedules refer to.
#include "passes/Schedule/BuildNests.h"
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/Passes.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {
#define GEN_PASS_DEF_PRINTNESTSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

struct PrintNests : impl::PrintNestsPassBase<PrintNests> {
  void runOnOperation() override {
    schedule::ConstantArguments constants(getOperation());
    for (auto def : getOperation().getOps<task::DefOp>()) {
      llvm::outs() << "task @" << def.getSymName() << '\n';
      llvm::Expected<schedule::TaskProgram> program = schedule::buildNests(def, constants.of(def));
      if (program)
        schedule::print(*program, llvm::outs());
      else
        llvm::outs() << "no nests: " << llvm::toString(program.takeError()) << '\n';
    }
  }
};

} // namespace
} // namespace cameo
