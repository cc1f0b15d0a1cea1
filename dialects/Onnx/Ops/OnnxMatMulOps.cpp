// Shape rules of matrix products.
#include "dialects/Onnx/EinsumEquation.h"
#include "dialects/Onnx/MatMulRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxMatMulOps.cpp.inc"

LogicalResult MatMulOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this)))
    return failure();
  FailureOr<std::optional<DimList>> dims = inferMatMul(*this, sizes, 0, 1);
  if (failed(dims))
    return failure();
  types.push_back(makeResultType(*dims, elementTypeOf(getA())));
  return success();
}

LogicalResult GemmOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this)) || failed(expectRank(*this, 0, 2, 2)) ||
      failed(expectRank(*this, 1, 2, 2)) || failed(expectRank(*this, 2, 0, 2))) // gemm_c1
    return failure();
  std::optional<DimList> a = getDims(getA()), b = getDims(getB()), c = getDims(getC());
  auto pick = [](const std::optional<DimList> &dims, bool second) { return dims ? (*dims)[second] : Dim::unknown(); };
  Dim rows = pick(a, getTransA() != 0), depth = pick(a, getTransA() == 0);
  Dim height = pick(b, getTransB() != 0), columns = pick(b, getTransB() == 0);
  if (failed(sizes.requireEqual(depth, height))) // gemm_c2
    return emitOpError() << "expected as many columns as rows of the other operand, got " << depth.getSize() << " and "
                         << height.getSize();
  DimList result{rows, columns};
  if (c && failed(sizes.requireBroadcast(*c, result))) // gemm_c3
    return emitOpError() << "expected operand #2 to broadcast to the product, got " << getC().getType() << " for "
                         << makeTensorType(result, elementTypeOf(getA()));
  types.push_back(makeTensorType(result, elementTypeOf(getA())));
  return success();
}

LogicalResult EinsumOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (getInputs().empty()) // einsum_c5
    return emitOpError() << "expected at least one operand";
  if (failed(expectSameElementType(*this)))
    return failure();
  Type elementType = elementTypeOf(getInputs().front());
  SmallVector<int64_t> ranks;
  for (Value input : getInputs()) {
    std::optional<int64_t> rank = rankOf(input);
    if (!rank) {
      types.push_back(makeResultType(std::nullopt, elementType));
      return success();
    }
    ranks.push_back(*rank);
  }
  FailureOr<EinsumEquation> equation = parseEinsum(*this, getEquation(), ranks);
  if (failed(equation))
    return failure();
  DimList indices(equation->indexCount, Dim(1));
  for (auto [number, input, operand] : llvm::enumerate(getInputs(), equation->operands))
    for (auto [i, index] : llvm::enumerate(operand)) {
      std::optional<Dim> dim = broadcastDim(indices[index], (*getDims(input))[i]);
      if (!dim) // einsum_c6
        return emitOpError() << "expected dimension " << i << " of operand #" << number << " to be "
                             << indices[index].getSize() << " like the others of its index, got "
                             << (*getDims(input))[i].getSize();
      indices[index] = *dim;
    }
  for (auto [input, operand] : llvm::zip_equal(getInputs(), equation->operands))
    for (auto [dim, index] : llvm::zip_equal(*getDims(input), operand))
      if (failed(sizes.requireBroadcast(dim, indices[index])))
        llvm_unreachable("an index has the size that all its dimensions broadcast to");
  DimList result;
  for (int64_t index : equation->result)
    result.push_back(indices[index]);
  types.push_back(makeTensorType(result, elementType));
  return success();
}

LogicalResult DetOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 2))) // det_c1
    return failure();
  std::optional<DimList> dims = getDims(getX());
  if (dims) {
    Dim columns = dims->pop_back_val(), rows = dims->pop_back_val();
    if (failed(sizes.requireEqual(rows, columns))) // det_c2
      return emitOpError() << "expected square matrices, got " << rows.getSize() << " by " << columns.getSize();
  }
  types.push_back(makeResultType(dims, elementTypeOf(getX())));
  return success();
}
