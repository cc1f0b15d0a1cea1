#include "dialects/Onnx/MatMulRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

namespace {

/// Returns the broadcast of the batch dimensions.
FailureOr<DimList> joinBatches(Operation *op, SizeConstraints &sizes, ArrayRef<Dim> left, ArrayRef<Dim> right) {
  DimList joint(std::max(left.size(), right.size()), Dim(1));
  for (ArrayRef<Dim> batch : {left, right})
    for (auto [i, dim] : llvm::enumerate(batch)) {
      Dim &place = joint[joint.size() - batch.size() + i];
      std::optional<Dim> both = broadcastDim(place, dim);
      if (!both) // matmul_c3
        return op->emitOpError() << "expected batch dimensions that broadcast, got " << place.getSize() << " and "
                                 << dim.getSize();
      place = *both;
    }
  for (ArrayRef<Dim> batch : {left, right})
    if (failed(sizes.requireBroadcast(batch, joint)))
      llvm_unreachable("the joint dimensions are what both broadcast to");
  return joint;
}

} // namespace

FailureOr<std::optional<DimList>> cameo::onnx::inferMatMul(Operation *op, SizeConstraints &sizes, unsigned left,
                                                           unsigned right) {
  if (failed(expectRank(op, left, 1)) || failed(expectRank(op, right, 1))) // matmul_c1
    return failure();
  std::optional<DimList> a = getDims(op->getOperand(left)), b = getDims(op->getOperand(right));
  if (!a || !b)
    return std::optional<DimList>();
  // A vector is a row on the left and a column on the right; the result loses the dimension again.
  bool isRow = a->size() == 1, isColumn = b->size() == 1;
  if (isRow)
    a->insert(a->begin(), Dim(1));
  if (isColumn)
    b->push_back(Dim(1));
  const Dim &depth = a->back(), &height = (*b)[b->size() - 2];
  if (failed(sizes.requireEqual(depth, height))) // matmul_c2
    return op->emitOpError() << "expected as many columns as rows of the other operand, got " << depth.getSize()
                             << " and " << height.getSize();
  FailureOr<DimList> result = joinBatches(op, sizes, ArrayRef<Dim>(*a).drop_back(2), ArrayRef<Dim>(*b).drop_back(2));
  if (failed(result))
    return failure();
  if (!isRow)
    result->push_back((*a)[a->size() - 2]);
  if (!isColumn)
    result->push_back(b->back());
  return std::optional(std::move(*result));
}
