// Prints the loop nests to which schedules refer.
#include "dialects/Target/TargetDialect.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {
#define GEN_PASS_DEF_PRINTNESTSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

struct PrintNests : impl::PrintNestsPassBase<PrintNests> {
  void runOnOperation() override {
    Machine machine = machineOf(getOperation());
    for (auto def : getOperation().getOps<task::DefOp>()) {
      if (!schedule::programOf(def))
        continue;
      llvm::outs() << "task @" << def.getSymName() << '\n';
      schedule::TaskProgram program = schedule::readNests(def);
      llvm::Error error = llvm::Error::success();
      if (auto steps = def->getAttrOfType<schedule::StepsAttr>("schedule"))
        error = schedule::replaceNests(steps, program, machine);
      if (error)
        llvm::outs() << "no nests: " << llvm::toString(std::move(error)) << '\n';
      else
        schedule::print(program, llvm::outs());
    }
  }
};

} // namespace
} // namespace cameo
