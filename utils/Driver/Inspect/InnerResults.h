// Results inside of a model, of its tasks or of its nodes, which become outputs so that two ways of compiling can be
// compared at each of them.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_INNERRESULTS_H
#define CAMEO_UTILS_DRIVER_INSPECT_INNERRESULTS_H

#include "utils/Driver/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

struct InnerResult {
  /// A task that computes it, or a part of it. The nodes of the model are those that the task or loop was made from,
  /// joined by '+'.
  struct Maker {
    std::string task, key, nodes;            ///< no task: a loop, or a node that is not part of a task yet
    llvm::SmallVector<int64_t> begin, sizes; ///< of the part; empty: everything
  };
  std::vector<Maker> makers;
  std::string operation;          ///< for people: "onnx.Softmax"
  std::vector<unsigned> operands; ///< what it was computed from: numbers of other results, which are smaller

  /// The maker of the element with this number in a tensor of `shape`.
  const Maker &makerOf(llvm::ArrayRef<int64_t> shape, int64_t element) const;
};

struct InnerResults {
  std::vector<InnerResult> results;                 ///< in the order of execution
  llvm::StringMap<std::optional<unsigned>> outputs; ///< by name the result that an output of the model is
};

/// The results of `kind` in @main of `module`, which is as imported for those of nodes, and partitioned for those of
/// tasks.
InnerResults findInnerResults(mlir::ModuleOp module, InnerOutputs kind);

/// Makes them outputs behind the model's own, in their order, or only that with the number `only`.
void makeOutputs(mlir::ModuleOp module, InnerOutputs kind, std::optional<unsigned> only);

} // namespace cameo

#endif
