// --choose-host-tasks: marks the tasks of a model for a GPU that the host executes.
#include "passes/Schedule/ChooseHostTasks.h"

#include "dialects/Task/TaskExternOps.h"
#include "dialects/Task/TaskStringOps.h"
#include "passes/Schedule/Passes.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_CHOOSEHOSTTASKSPASS
#include "passes/Schedule/Passes.h.inc"

StringRef whyOnHost(task::DefOp def) {
  StringRef why;
  def.walk([&](Operation *op) {
    if (isa<task::ExternOp>(op))
      why = "calls a function of the program";
    else if (isa<task::InvokeOp, task::TextAreaOp, task::StringOp>(op))
      why = "reads or makes strings";
    return why.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return why;
}

namespace {

struct ChooseHostTasks : impl::ChooseHostTasksPassBase<ChooseHostTasks> {
  using Base::Base;

  void runOnOperation() override {
    for (auto def : getOperation().getOps<task::DefOp>())
      if (!whyOnHost(def).empty())
        def->setAttr(task::hostName, UnitAttr::get(&getContext()));
  }
};

} // namespace
} // namespace cameo
