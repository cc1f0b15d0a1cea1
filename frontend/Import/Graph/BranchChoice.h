// What an If makes whose condition is known only at run time: both branches are there, and a run computes one.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_BRANCHCHOICE_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_BRANCHCHOICE_H

#include "frontend/Import/Written/NodeWriter.h"

#include "dialects/Onnx/DimList.h"

namespace cameo {

class BranchChoice {
public:
  /// `nameSize` gives a size that the condition decides a name, for an axis of an output.
  BranchChoice(NodeDraft &draft, mlir::Value condition,
               llvm::function_ref<std::string(unsigned output, int64_t axis)> nameSize)
      : draft(draft), w(draft), nameSize(nameSize) {
    auto type = mlir::dyn_cast<mlir::RankedTensorType>(condition.getType());
    this->condition = type && type.getRank() == 0 ? condition : w.make("Reshape", {condition, w.ints({})});
  }

  /// A scalar, which is defined before the branches; null after an error.
  mlir::Value getCondition() const { return condition; }

  /// The output, from the values of both branches: element by element of sequences. Fails after an error.
  mlir::FailureOr<mlir::Value> choose(unsigned output, mlir::Value whenTrue, mlir::Value whenFalse);

private:
  /// A size that the condition decides, as numbers below it.
  struct CountedSize {
    cameo::Dim whenTrue, whenFalse;
    mlir::Value numbers;
  };

  mlir::FailureOr<mlir::Value> chooseTensor(unsigned output, mlir::Value whenTrue, mlir::Value whenFalse);
  /// Numbers below the size of the chosen one along an axis, one tensor for all results of the same two sizes.
  mlir::Value countSize(unsigned output, int64_t axis, mlir::Value whenTrue, mlir::Value whenFalse);

  NodeDraft &draft;
  NodeWriter w;
  mlir::Value condition;
  llvm::function_ref<std::string(unsigned output, int64_t axis)> nameSize;
  llvm::SmallVector<CountedSize> counted;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_BRANCHCHOICE_H
