// Computes nodes of a nest at points, as scalars, for any processor. Every value is computed once per point on which it
// depends, so points that read the same element share the load. Vector processors override the leaves.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_NODEEVALUATOR_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_NODEEVALUATOR_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "mlir/IR/Builders.h"

#include <map>

namespace cameo::schedule {

/// The position of the block along one dimension: index = constant + sum of value * scale. The block has `size` points
/// from there; if the number of points is dynamic, `length` is this number, at most `size`.
struct Position {
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 3> terms;
  int64_t constant = 0;
  int64_t size = 1;
  mlir::Value length;
};

/// Returns the positions `now` relative to the positions `before`.
llvm::SmallVector<Position> since(llvm::ArrayRef<Position> before, llvm::ArrayRef<Position> now);

/// A point of the block: its offset along every dimension (along the vector dimension, the offset of the first lane).
using Point = llvm::SmallVector<int64_t, 8>;

class NodeEvaluator {
public:
  /// All arguments must outlive the evaluator; `buffers[i]` is the one-dimensional memref of the program's buffer i.
  /// Code is inserted at the builder's insertion point.
  NodeEvaluator(mlir::OpBuilder &builder, mlir::Location loc, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
                llvm::ArrayRef<Position> positions)
      : builder(builder), loc(loc), nest(nest), buffers(buffers), positions(positions) {}
  virtual ~NodeEvaluator() = default;

  /// Returns the value of `node` at `point`. `accumulators` are the running values at this point.
  mlir::Value evaluate(NodeId node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  /// Sets the value of `node` at `point`, if it was computed for several points in another way.
  void define(NodeId node, const Point &point, mlir::Value value);

  /// Stores `output` at `point`.
  virtual void store(const Output &output, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  mlir::Value indexConstant(const Size &value);
  /// Returns the value of `form` at `point`, plus `further`.
  mlir::Value address(const LinearForm &form, const Point &point, mlir::Value further = {});

protected:
  /// Returns a key that is equal for points at which the load `node` reads the same element, or nothing if that is
  /// unknown.
  virtual std::optional<Size> elementKey(const Node &node, const Point &point) const;
  virtual mlir::Value load(const Node &node, const Point &point);
  virtual mlir::Value gather(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  virtual mlir::Value indexValue(const Node &node, const Point &point);
  virtual mlir::Value apply(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  /// Creates the operation of `node` with `operands` and a result of `type`.
  mlir::Value applyTo(const Node &node, mlir::ValueRange operands, mlir::Type type);
  mlir::Value sumOfTerms(llvm::ArrayRef<Size> coefficients);
  Size constantPart(const LinearForm &form, const Point &point) const;
  mlir::Value loadScalar(const Node &node, mlir::Value address);
  mlir::Value fromStorage(mlir::Value value, mlir::Type elementType);
  mlir::Value toStorage(mlir::Value value);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const LoopNest &nest;
  llvm::ArrayRef<mlir::Value> buffers;
  llvm::ArrayRef<Position> positions;

private:
  Point relevantPart(NodeId node, const Point &point) const;

  std::map<std::pair<NodeId, Point>, mlir::Value> values;
  std::map<std::pair<NodeId, Size>, mlir::Value> loads;
  std::map<std::pair<llvm::SmallVector<Size, 8>, Size>, mlir::Value> sums; ///< by coefficients and dynamic constant
                                                                           ///< part
  std::map<Size, mlir::Value> constants;
};

} // namespace cameo::schedule

#endif
