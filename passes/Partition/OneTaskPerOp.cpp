// --one-task-per-op: the partition of the naive path, which is the reference for all others.
#include "passes/Partition/Grouping.h"
#include "passes/Partition/OpRole.h"
#include "passes/Partition/OutlineTasks.h"
#include "passes/Partition/Passes.h"

#include "dialects/Task/TaskDialect.h"

using namespace mlir;
using namespace cameo::partition;

namespace cameo {

#define GEN_PASS_DEF_ONETASKPEROPPASS
#include "passes/Partition/Passes.h.inc"

namespace {

struct OneTaskPerOpPass : impl::OneTaskPerOpPassBase<OneTaskPerOpPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.getBody().hasOneBlock())
        continue;
      Grouping grouping(function.getBody().front());
      for (Operation &op : function.getBody().front().without_terminator())
        if (OpRole role = getRole(&op); role != OpRole::Constant && role != OpRole::View && role != OpRole::Prefix &&
                                        role != OpRole::Loop && role != OpRole::Choose)
          grouping.create(TaskGroup::Kind::Single, {}, &op);
      outlineTasks(function, grouping);
    }
  }
};

} // namespace
} // namespace cameo
