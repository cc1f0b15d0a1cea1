// Builds the expression tree of one loop nest from linalg bodies. A read becomes a load if the tensor is stored, or
// else the inlined computation of its element.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_BUILD_NESTBUILDER_H
#define CAMEO_PASSES_SCHEDULE_NESTS_BUILD_NESTBUILDER_H

#include "passes/Schedule/Nests/Build/TensorPlacement.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cameo::schedule {

class NestBuilder {
public:
  /// With `rows`, the nest runs once per iteration of a loop of this length, which becomes its first dimension.
  NestBuilder(TaskProgram &program, const TensorPlacement &placement, mlir::Location loc, std::optional<Size> rows)
      : program(program), placement(placement), nest(loc) {
    if (rows)
      nest.dims.push_back({*rows, false});
    rowDims = nest.dims.size();
  }

  /// Gives the nest the iteration space of `op`.
  void setDimensions(mlir::linalg::GenericOp op);
  /// Gives the nest one parallel dimension per element of `shape`.
  void setDimensions(llvm::ArrayRef<Size> shape);
  /// Returns the forms of the dimensions that setDimensions added.
  llvm::SmallVector<LinearForm> identityForms() const;

  /// Returns the element of `tensor` at `index`, or nothing if the tensor cannot be read (see getReason).
  std::optional<NodeId> read(mlir::Value tensor, llvm::ArrayRef<LinearForm> index);

  /// Returns the values that the region of `op` yields at the point `dims`. Out operands of a reduction are read as
  /// Accumulator nodes, other out operands by their initial value.
  std::optional<llvm::SmallVector<NodeId>> evaluate(mlir::linalg::GenericOp op, llvm::ArrayRef<LinearForm> dims);

  /// Makes later reads of `tensor` at exactly `index` return `node`, a value that is already in a register.
  void bind(mlir::Value tensor, llvm::ArrayRef<LinearForm> index, NodeId node);
  /// Returns the index at which `tensor` was bound, or null.
  const llvm::SmallVector<LinearForm> *boundIndex(mlir::Value tensor) const;

  void addReduction(NodeId initial, NodeId update) { nest.reductions.push_back({initial, update}); }
  void addOutput(NodeId value, const View &view, llvm::ArrayRef<LinearForm> index);
  NodeId accumulator(unsigned number, mlir::Type type);
  NodeId constant(mlir::TypedAttr value);

  LoopNest &getNest() { return nest; }
  llvm::StringRef getReason() const { return reason; }

private:
  std::nullopt_t fail(const llvm::Twine &why) {
    reason = why.str();
    return std::nullopt;
  }
  LinearForm overRows(const LinearForm &form) const;
  LinearForm origin(const View &view) const;
  LinearForm address(const View &view, llvm::ArrayRef<LinearForm> index) const;
  NodeId load(const View &view, mlir::Type type, llvm::ArrayRef<LinearForm> index);
  std::optional<NodeId> readConstant(mlir::ElementsAttr value, llvm::ArrayRef<LinearForm> index);
  std::optional<NodeId> readReshaped(mlir::Operation *op, llvm::ArrayRef<LinearForm> index);
  std::optional<NodeId> gather(mlir::tensor::ExtractOp op, llvm::ArrayRef<NodeId> indices);
  std::optional<NodeId> readOuter(mlir::Value value);
  std::optional<NodeId> evaluateScalar(mlir::Operation &op, llvm::DenseMap<mlir::Value, NodeId> &values,
                                       llvm::ArrayRef<LinearForm> dims);
  std::optional<NodeId> foldIndexArithmetic(mlir::Operation &op, llvm::ArrayRef<NodeId> operands);

  struct Bound {
    llvm::SmallVector<LinearForm> index;
    NodeId node;
  };

  TaskProgram &program;
  const TensorPlacement &placement;
  LoopNest nest;
  unsigned rowDims;
  llvm::DenseMap<mlir::Value, Bound> bound;
  std::string reason;
};

} // namespace cameo::schedule

#endif
