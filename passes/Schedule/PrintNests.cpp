// Shows the loop nests that schedules refer to.
#include "dialects/Target/TargetDialect.h"
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/Nests/BuildNests.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {
#define GEN_PASS_DEF_PRINTNESTSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

struct PrintNests : impl::PrintNestsPassBase<PrintNests> {
  void runOnOperation() override {
    schedule::ConstantArguments constants(getOperation());
    Machine machine = machineOf(getOperation());
    for (auto def : getOperation().getOps<task::DefOp>()) {
      llvm::outs() << "task @" << def.getSymName() << '\n';
      llvm::Expected<schedule::TaskProgram> program = schedule::buildNests(def, constants.of(def));
      llvm::Error error = program ? llvm::Error::success() : program.takeError();
      if (auto steps = def->getAttrOfType<schedule::StepsAttr>("schedule"); steps && !error)
        error = schedule::replaceNests(steps, *program, machine);
      if (error)
        llvm::outs() << "no nests: " << llvm::toString(std::move(error)) << '\n';
      else
        schedule::print(*program, llvm::outs());
    }
  }
};

} // namespace
} // namespace cameo
