// --form-tasks: fused subgraphs as tasks. What is fused is decided in GrowGroups.
#include "passes/Partition/Grouping.h"
#include "passes/Partition/OutlineTasks.h"
#include "passes/Partition/Passes.h"

#include "dialects/Task/TaskDialect.h"

using namespace mlir;
using namespace cameo::partition;

namespace cameo {

#define GEN_PASS_DEF_FORMTASKSPASS
#include "passes/Partition/Passes.h.inc"

namespace {

struct FormTasksPass : impl::FormTasksPassBase<FormTasksPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.getBody().hasOneBlock())
        outlineTasks(function, growGroups(function.getBody().front(), joinsCopies));
  }
};

} // namespace
} // namespace cameo
