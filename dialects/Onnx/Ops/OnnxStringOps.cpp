// Shape rules of operators on strings.
#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxStringOps.cpp.inc"

LogicalResult RegexFullMatchOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferPointwise(*this, types, sizes, IntegerType::get(getContext(), 1));
}

LogicalResult CountPartsOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferPointwise(*this, types, sizes, IntegerType::get(getContext(), 64));
}

LogicalResult TakePartOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  FailureOr<std::optional<DimList>> dims = broadcastOperands(*this, sizes, getOperands());
  if (failed(dims))
    return failure();
  types.push_back(makeResultType(*dims, elementTypeOf(getX())));
  return success();
}

LogicalResult FindTextOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 1, 1, 1))) // findtext_c1
    return failure();
  types.push_back(makeResultType(getDims(getX()), IntegerType::get(getContext(), 64)));
  return success();
}

//===- StringNormalizer ----------------------------------------------------===//

LogicalResult StringNormalizerOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 1, 2))) // stringnormalizer_c1
    return failure();
  std::optional<DimList> dims = getDims(getX());
  if (dims && dims->size() == 2 &&
      failed(expectDim(*this, sizes, 0, 0, Dim(1), "number of rows"))) // stringnormalizer_c1
    return failure();
  StringRef language = getLocale().value_or("").take_front(2);
  if (language == "tr" || language == "az" || language == "lt") // stringnormalizer_c2
    return emitOpError() << "expected a 'locale' without special rules for letter case, got '" << *getLocale() << "'";
  if (dims) {
    bool isKept = !getStopwords() || getStopwords()->empty();
    if (!isKept || !dims->back().isStatic())
      dims->back() = Dim::unknown();
    else
      dims->back() = Dim(std::max<int64_t>(dims->back().getSize(), 1));
    if (dims->size() == 2)
      dims->front() = Dim(1);
  }
  types.push_back(makeResultType(dims, elementTypeOf(getX())));
  return success();
}

std::optional<int64_t> StringNormalizerOp::getDataSizedAxis(unsigned) {
  std::optional<int64_t> rank = rankOf(getX());
  return rank ? std::optional(*rank - 1) : std::nullopt;
}

//===- StringSplit ---------------------------------------------------------===//

LogicalResult StringSplitOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (getMaxsplit().value_or(0) < 0) // stringsplit_c1
    return emitOpError() << "expected a 'maxsplit' of 0 or more, got " << *getMaxsplit();
  std::optional<DimList> dims = getDims(getX());
  Type counts = makeResultType(dims, IntegerType::get(getContext(), 64));
  if (dims)
    dims->push_back(Dim::unknown());
  types.append({makeResultType(dims, elementTypeOf(getX())), counts});
  return success();
}

std::optional<int64_t> StringSplitOp::getDataSizedAxis(unsigned result) {
  return result == 0 ? rankOf(getX()) : std::nullopt;
}
