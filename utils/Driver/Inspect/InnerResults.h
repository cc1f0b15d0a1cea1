// Makes intermediate results of a model, of its tasks or nodes, outputs, so that two ways of compiling it can be
// compared at each of them.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_INNERRESULTS_H
#define CAMEO_UTILS_DRIVER_INSPECT_INNERRESULTS_H

#include "utils/Driver/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

struct InnerResult {
  /// A task that computes the result or a part of it. `nodes` are the nodes of the model that the task or loop was made
  /// from, joined by '+'.
  struct Maker {
    std::string task, key, nodes;            ///< `task` is empty for a loop, or for a node that is not part of a task
                                             ///< yet
    llvm::SmallVector<int64_t> begin, sizes; ///< offsets and sizes of the part; empty: the whole result
  };
  std::vector<Maker> makers;
  std::string operation;          ///< for users: "onnx.Softmax"
  std::vector<unsigned> operands; ///< numbers of the results that it is computed from, which are smaller than its own

  /// Returns the maker of the element with this flat index in a tensor of `shape`.
  const Maker &makerOf(llvm::ArrayRef<int64_t> shape, int64_t element) const;
};

struct InnerResults {
  std::vector<InnerResult> results;                 ///< in execution order
  llvm::StringMap<std::optional<unsigned>> outputs; ///< for each output of the model, by name, the number of the result
                                                    ///< that it is
};

/// Returns the results of `kind` in @main of `module`, which must be as imported for results of nodes, and partitioned
/// for results of tasks.
InnerResults findInnerResults(mlir::ModuleOp module, InnerOutputs kind);

/// Makes these results outputs after the model's own, in their order; with `only`, just the result of that number.
void makeOutputs(mlir::ModuleOp module, InnerOutputs kind, std::optional<unsigned> only);

} // namespace cameo

#endif
