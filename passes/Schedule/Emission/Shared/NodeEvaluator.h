// Computes nodes of a nest at points, as scalars: what every processor does with them. Every value is computed once per
// point it depends on, so that loads are shared by all points that read the same element. A processor with vectors
// overrides the leaves.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_NODEEVALUATOR_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_NODEEVALUATOR_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "mlir/IR/Builders.h"

#include <map>

namespace cameo::schedule {

/// Where the loops around the block stand along one dimension: index = constant + sum of value * scale, and `size`
/// points from there belong to the block. Where it is known only at run time how many of these there are, `length` is
/// their number, at most `size`.
struct Position {
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 3> terms;
  int64_t constant = 0;
  int64_t size = 1;
  mlir::Value length;
};

/// Where the loops stand `now`, seen from where they stood `before`.
llvm::SmallVector<Position> since(llvm::ArrayRef<Position> before, llvm::ArrayRef<Position> now);

/// A point of the block: its offset along every dimension (along the vector dimension, of the vector's first lane).
using Point = llvm::SmallVector<int64_t, 8>;

class NodeEvaluator {
public:
  /// All of these outlive the evaluator; `buffers[i]` is the one-dimensional memref of the program's buffer i. The code
  /// goes to the builder's insertion point.
  NodeEvaluator(mlir::OpBuilder &builder, mlir::Location loc, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
                llvm::ArrayRef<Position> positions)
      : builder(builder), loc(loc), nest(nest), buffers(buffers), positions(positions) {}
  virtual ~NodeEvaluator() = default;

  /// The value of `node` at `point`. `accumulators` are the running values at this point.
  mlir::Value evaluate(NodeId node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  /// `node` is `value` at `point`: what was computed of several points in another way.
  void define(NodeId node, const Point &point, mlir::Value value);

  /// Stores `output` at `point`.
  virtual void store(const Output &output, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  mlir::Value indexConstant(const Size &value);
  /// The value of `form` at `point`, `further` on.
  mlir::Value address(const LinearForm &form, const Point &point, mlir::Value further = {});

protected:
  /// What all points have in common at which the load `node` gives the same as at `point`; nothing where that is not
  /// known.
  virtual std::optional<Size> elementKey(const Node &node, const Point &point) const;
  virtual mlir::Value load(const Node &node, const Point &point);
  virtual mlir::Value gather(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  virtual mlir::Value indexValue(const Node &node, const Point &point);
  virtual mlir::Value apply(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  /// The operation of `node` on `operands`, which gives a value of `type`.
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
  std::map<std::pair<llvm::SmallVector<Size, 8>, Size>, mlir::Value> sums; ///< by coefficients and what the run adds
  std::map<Size, mlir::Value> constants;
};

} // namespace cameo::schedule

#endif
