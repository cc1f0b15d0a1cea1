// --choose-host-tasks: marks the tasks of a model for a GPU that the host executes.
#include "passes/Schedule/ChooseHostTasks.h"

#include "dialects/Task/TaskStringOps.h"
#include "passes/Schedule/Passes.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_CHOOSEHOSTTASKSPASS
#include "passes/Schedule/Passes.h.inc"

bool needsHost(task::DefOp def) {
  return def
      .walk([](Operation *op) {
        bool isOnStrings = isa<task::InvokeOp, task::TextAreaOp, task::StringOp>(op);
        return isOnStrings ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

struct ChooseHostTasks : impl::ChooseHostTasksPassBase<ChooseHostTasks> {
  using Base::Base;

  void runOnOperation() override {
    for (auto def : getOperation().getOps<task::DefOp>())
      if (needsHost(def))
        def->setAttr(task::hostName, UnitAttr::get(&getContext()));
  }
};

} // namespace
} // namespace cameo
