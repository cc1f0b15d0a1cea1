// Shape rules of losses.
#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxLossOps.cpp.inc"

namespace {

/// Infers the type of the loss: one value per target, or a scalar. Operands: scores (N, C, ...), targets (N, ...),
/// weights (C).
LogicalResult inferLoss(Operation *op, StringRef reduction, SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(op, {0, 2})) || failed(expectRank(op, 0, 2)) /*loss_c1*/ ||
      failed(expectRank(op, 2, 1, 1)) /*loss_c2*/)
    return failure();
  std::optional<DimList> scores = getDims(op->getOperand(0)), target = getDims(op->getOperand(1));
  if (scores) {
    DimList expected = *scores;
    expected.erase(expected.begin() + 1);
    if (failed(expectDim(op, sizes, 2, 0, (*scores)[1], "classes")) ||  // loss_c4
        failed(expectDims(op, sizes, 1, expected, "as in the scores"))) // loss_c3, loss_c5
      return failure();
    if (failed(sizes.requireAtLeastFor(productOf(expected), (*scores)[1], 1))) // loss_c6
      return op->emitOpError() << "expected scores of at least one class, got none";
    target = std::move(expected);
  }
  types.push_back(makeResultType(reduction == "none" ? target : DimList(), elementTypeOf(op->getOperand(0))));
  return success();
}

} // namespace

LogicalResult NegativeLogLikelihoodLossOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferLoss(*this, getReduction(), types, sizes);
}

LogicalResult SoftmaxCrossEntropyLossOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(inferLoss(*this, getReduction(), types, sizes)))
    return failure();
  likeOperand(*this, 0, types);
  return success();
}
