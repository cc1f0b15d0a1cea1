// Imports the results of an If with a dynamic condition: both branches are in the graph, and a run computes one.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_BRANCHCHOICE_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_BRANCHCHOICE_H

#include "frontend/Import/Written/NodeWriter.h"

#include "dialects/Onnx/DimList.h"

namespace cameo {

class BranchChoice {
public:
  /// `nameSize` returns the name of a size that depends on the condition, for an axis of an output.
  BranchChoice(NodeDraft &draft, mlir::Value condition,
               llvm::function_ref<std::string(unsigned output, int64_t axis)> nameSize)
      : draft(draft), w(draft), nameSize(nameSize) {
    auto type = mlir::dyn_cast<mlir::RankedTensorType>(condition.getType());
    this->condition = type && type.getRank() == 0 ? condition : w.make("Reshape", {condition, w.ints({})});
  }

  /// Returns the condition, a scalar that is defined before the branches; null after an error.
  mlir::Value getCondition() const { return condition; }

  /// Returns the output, chosen from the values of both branches; sequences are chosen per element. Fails after an
  /// error.
  mlir::FailureOr<mlir::Value> choose(unsigned output, mlir::Value whenTrue, mlir::Value whenFalse);

  /// Returns a tensor, or a sequence of tensors, that only one branch makes; zeros in runs that take the other one.
  mlir::FailureOr<mlir::Value> keepOne(unsigned output, mlir::Value value, bool isTrue);

  /// Returns one of two scalars of one type, computed only in runs that choose it.
  mlir::Value chooseScalar(mlir::Value whenTrue, mlir::Value whenFalse);

private:
  /// A size that depends on the condition, as a range tensor.
  struct CountedSize {
    cameo::Dim whenTrue, whenFalse;
    mlir::Value numbers;
  };

  mlir::FailureOr<mlir::Value> chooseSequence(unsigned output, mlir::Value whenTrue, mlir::Value whenFalse);
  mlir::FailureOr<mlir::Value> chooseOptional(unsigned output, mlir::Value whenTrue, mlir::Value whenFalse);
  mlir::FailureOr<mlir::Value> chooseTensor(unsigned output, mlir::Value whenTrue, mlir::Value whenFalse);
  /// Returns a range up to the chosen size along an axis. Results with the same two sizes share the tensor.
  mlir::Value countSize(unsigned output, int64_t axis, mlir::Value whenTrue, mlir::Value whenFalse);

  NodeDraft &draft;
  NodeWriter w;
  mlir::Value condition;
  llvm::function_ref<std::string(unsigned output, int64_t axis)> nameSize;
  llvm::SmallVector<CountedSize> counted;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_BRANCHCHOICE_H
