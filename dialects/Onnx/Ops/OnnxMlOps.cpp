// Shape rule of decision trees, which are given as tables.
#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxMlOps.cpp.inc"

LogicalResult TreeEnsembleOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 2, 7})) || failed(expectRank(*this, 0, 2, 2))) // treeensemble_c1
    return failure();
  std::optional<DimList> features = getDims(getFeatures());
  Dim nodes = features && features->size() == 1 ? features->front() : Dim::unknown();
  for (unsigned operand : {1, 2, 3, 4, 5})
    if (failed(expectRank(*this, operand, 1, 1)) ||
        failed(expectDim(*this, sizes, operand, 0, nodes, "nodes"))) // treeensemble_c2
      return failure();
  if (failed(expectRank(*this, 6, 1, 1)) || failed(expectRank(*this, 7, 2, 2))) // treeensemble_c3
    return failure();
  if (getDepth() < 0) // treeensemble_c4
    return emitOpError() << "expected a 'depth' of 0 or more, got " << getDepth();
  if (getAggregateFunction() < 0 || getAggregateFunction() > 3) // treeensemble_c5
    return emitOpError() << "expected 'aggregate_function' in [0, 3], got " << getAggregateFunction();
  std::optional<DimList> x = getDims(getX()), values = getDims(getLeafValues());
  types.push_back(
      makeTensorType({x ? (*x)[0] : Dim::unknown(), values ? (*values)[1] : Dim::unknown()}, elementTypeOf(getX())));
  return success();
}
