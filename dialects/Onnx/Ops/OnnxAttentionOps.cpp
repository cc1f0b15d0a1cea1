// Shape rules of attention and of related operators: linear attention, caches, rotary embeddings.
#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxAttentionOps.cpp.inc"

namespace {

/// The dimensions of an operand: batch, heads, sequence, size of a head.
struct Heads {
  Dim batch, heads, length, size;
};

/// Splits the dimensions batch, sequence, heads * size of an operand. Fails if `heads` does not divide the last
/// dimension.
FailureOr<Heads> splitHeads(Operation *op, SizeConstraints &sizes, unsigned operand, int64_t heads) {
  DimList dims = *getDims(op->getOperand(operand));
  Dim size = floorDivDim(dims[2], heads);
  if (failed(sizes.requireMultiple(dims[2], heads)))
    return op->emitOpError() << "expected dimension 2 of operand #" << operand << " to be a multiple of " << heads
                             << " heads, got " << dims[2].getSize();
  return Heads{dims[0], Dim(heads), dims[1], size};
}

LogicalResult expectAgreement(Operation *op, SizeConstraints &sizes, const Dim &a, const Dim &b, StringRef meaning) {
  if (succeeded(sizes.requireEqual(a, b)))
    return success();
  return op->emitOpError() << "expected " << meaning << " to agree, got " << a.getSize() << " and " << b.getSize();
}

LogicalResult expectMultiple(Operation *op, SizeConstraints &sizes, const Dim &queryHeads, const Dim &heads) {
  if (succeeded(sizes.requireMultiple(queryHeads, heads)))
    return success();
  return op->emitOpError() << "expected a number of query heads that is a multiple of " << heads.getSize() << ", got "
                           << queryHeads.getSize();
}

/// Returns heads * size of a result with the heads of the queries and the size of the values; `heads` is the number of
/// heads of `values`.
Dim joinHeads(Value values, const Dim &queryHeads, const Dim &heads) {
  return getDims(values)->back() * exactDivDims(queryHeads, heads);
}

LogicalResult expectShape(Operation *op, SizeConstraints &sizes, unsigned operand, ArrayRef<Dim> expected,
                          ArrayRef<StringRef> meanings) {
  if (failed(expectRank(op, operand, expected.size(), expected.size())))
    return failure();
  for (auto [axis, dim] : llvm::enumerate(expected))
    if (failed(expectDim(op, sizes, operand, axis, dim, meanings[axis])))
      return failure();
  return success();
}

} // namespace

//===- Attention -----------------------------------------------------------===//

namespace {

/// Converts Q, K and V to one form, and derives the dimensions of the results.
class AttentionRule {
public:
  AttentionRule(AttentionOp op, SizeConstraints &sizes) : op(op), sizes(sizes) {}
  LogicalResult infer(SmallVectorImpl<Type> &types);

private:
  LogicalResult checkAttributes();
  FailureOr<Heads> readOperand(unsigned operand);
  LogicalResult readOperands();
  LogicalResult readPast();
  LogicalResult checkMask();

  AttentionOp op;
  SizeConstraints &sizes;
  bool isFlat = false;
  Heads q, k, v;
  Dim total;
};

LogicalResult AttentionRule::checkAttributes() {
  if (op.getQkMatmulOutputMode() < 0 || op.getQkMatmulOutputMode() > 3) // attention_c8
    return op.emitOpError() << "expected 'qk_matmul_output_mode' in [0, 3], got " << op.getQkMatmulOutputMode();
  if (std::optional<int64_t> precision = op.getSoftmaxPrecision())
    if (!llvm::is_contained({1, 10, 11, 16}, *precision)) // attention_c9
      return op.emitOpError() << "expected 'softmax_precision' 1, 10, 11 or 16, got " << *precision;
  for (int64_t window : {op.getLeftWindowSize(), op.getRightWindowSize()})
    if (window < -1) // attention_c10
      return op.emitOpError() << "expected window sizes of -1 or more, got " << window;
  if (!(op.getSoftcap() >= 0)) // attention_c11
    return op.emitOpError() << "expected 'softcap' of 0 or more, got " << op.getSoftcap();
  return success();
}

FailureOr<Heads> AttentionRule::readOperand(unsigned operand) {
  if (!isFlat) {
    DimList dims = *getDims(op->getOperand(operand));
    return Heads{dims[0], dims[1], dims[2], dims[3]};
  }
  std::optional<int64_t> heads = operand == 0 ? op.getQNumHeads() : op.getKvNumHeads();
  if (!heads || *heads < 1) // attention_c2
    return op.emitOpError() << "expected '" << (operand == 0 ? "q_num_heads" : "kv_num_heads")
                            << "' of 1 or more with operands of rank 3";
  return splitHeads(op, sizes, operand, *heads);
}

LogicalResult AttentionRule::readOperands() {
  for (auto [operand, heads] : {std::pair(0, &q), std::pair(1, &k), std::pair(2, &v)}) {
    FailureOr<Heads> read = readOperand(operand);
    if (failed(read))
      return failure();
    *heads = *read;
  }
  return failure(failed(expectMultiple(op, sizes, q.heads, k.heads)) || // attention_c3
                 failed(expectAgreement(op, sizes, q.batch, k.batch, "batches of queries and keys")) ||
                 failed(expectAgreement(op, sizes, q.batch, v.batch, "batches of queries and values")) ||
                 failed(expectAgreement(op, sizes, k.batch, v.batch, "batches of keys and values")) ||
                 failed(expectAgreement(op, sizes, q.size, k.size, "sizes of queries and keys")) ||
                 failed(expectAgreement(op, sizes, k.heads, v.heads, "heads of keys and values")) ||
                 failed(expectAgreement(op, sizes, k.length, v.length, "lengths of keys and values"))); // attention_c4
}

LogicalResult AttentionRule::readPast() {
  total = k.length;
  bool hasPast = !isAbsent(op.getPastKey());
  if (hasPast != !isAbsent(op.getPastValue())) // attention_c5
    return op.emitOpError() << "expected past_key and past_value together";
  if (!isAbsent(op.getNonpadKvSeqlen())) {
    if (hasPast || !isAbsent(op.getPresentKey()) || !isAbsent(op.getPresentValue())) // attention_c6
      return op.emitOpError() << "expected no past or present keys and values with nonpad_kv_seqlen";
    return expectShape(op, sizes, 6, {q.batch}, {"batch"}); // attention_c6
  }
  if (!hasPast)
    return success();
  std::optional<DimList> past = getDims(op.getPastKey()), pastValue = getDims(op.getPastValue());
  Dim length = past && past->size() == 4             ? (*past)[2]
               : pastValue && pastValue->size() == 4 ? (*pastValue)[2]
                                                     : Dim::unknown();
  if (failed(
          expectShape(op, sizes, 4, {k.batch, k.heads, length, k.size}, {"batch", "heads", "length", "head size"})) ||
      failed(expectShape(op, sizes, 5, {v.batch, v.heads, length, v.size},
                         {"batch", "heads", "length of past_key", "head size"})))
    return failure(); // attention_c5
  total = length + k.length;
  return success();
}

LogicalResult AttentionRule::checkMask() {
  std::optional<DimList> mask = getDims(op.getAttnMask());
  if (isAbsent(op.getAttnMask()) || !mask)
    return success();
  // Keys beyond the end of the mask are not attended.
  DimList scores = {q.batch, q.heads, q.length, mask->empty() ? total : mask->back()};
  bool isShared = scores.back() == 1;
  if ((!isShared && failed(sizes.requireAtLeast(total, scores.back()))) ||
      failed(sizes.requireBroadcast(*mask, scores))) // attention_c7
    return op.emitOpError() << "expected attn_mask to broadcast to the scores, "
                            << makeTensorType({q.batch, q.heads, q.length, total}, elementTypeOf(op.getQ())) << ", got "
                            << op.getAttnMask().getType();
  return success();
}

LogicalResult AttentionRule::infer(SmallVectorImpl<Type> &types) {
  Type element = elementTypeOf(op.getQ()), valueElement = elementTypeOf(op.getV());
  if (failed(expectSameElementType(op, {0, 1, 4})) || failed(expectSameElementType(op, {2, 5})) ||
      failed(checkAttributes()))
    return failure();
  std::optional<int64_t> rank = rankOf(op.getQ());
  if (!rank || !rankOf(op.getK()) || !rankOf(op.getV())) {
    for (Type type : {element, element, valueElement, element})
      types.push_back(makeResultType(std::nullopt, type));
    return success();
  }
  isFlat = *rank == 3;
  for (unsigned operand : {0, 1, 2})
    if (failed(expectRank(op, operand, isFlat ? 3 : 4, isFlat ? 3 : 4))) // attention_c1
      return failure();
  if (failed(readOperands()) || failed(readPast()) || failed(checkMask()))
    return failure();
  Dim batch = moreSpecific(q.batch, k.batch), heads = moreSpecific(k.heads, v.heads);
  DimList y = isFlat ? DimList{batch, q.length, joinHeads(op.getV(), q.heads, k.heads)}
                     : DimList{batch, q.heads, q.length, v.size};
  types.push_back(makeTensorType(y, element));
  types.push_back(makeTensorType({batch, heads, total, moreSpecific(k.size, q.size)}, element));
  types.push_back(makeTensorType({batch, heads, total, v.size}, valueElement));
  types.push_back(makeTensorType({batch, q.heads, q.length, total}, element));
  return success();
}

} // namespace

LogicalResult AttentionOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return AttentionRule(*this, sizes).infer(types);
}

//===- LinearAttention, CausalConvWithState ---------------------------------===//

namespace {

LogicalResult checkGates(LinearAttentionOp op, SizeConstraints &sizes, const Heads &k) {
  if (op.hasDecay() && isAbsent(op.getDecay())) // linearattention_c5
    return op.emitOpError() << "expected a decay for '" << op.getUpdateRule() << "'";
  if (op.hasDelta() && isAbsent(op.getBeta())) // linearattention_c6
    return op.emitOpError() << "expected a beta for '" << op.getUpdateRule() << "'";
  for (unsigned operand : {4, 5}) {
    std::optional<DimList> dims = getDims(op->getOperand(operand));
    if (isAbsent(op->getOperand(operand)) || !dims)
      continue;
    if (failed(expectShape(op, sizes, operand, {k.batch, k.length, Dim::unknown()}, {"batch", "length", ""})))
      return failure();
    Dim wide = operand == 4 ? k.heads * k.size : Dim(1);
    if (failed(sizes.requireOneOf(dims->back(), k.heads, wide))) // linearattention_c5, linearattention_c6
      return op.emitOpError() << "expected dimension 2 of operand #" << operand << " to be the number of heads, "
                              << k.heads.getSize() << (operand == 4 ? ", or that of elements of a key" : ", or 1")
                              << ", got " << dims->back().getSize();
  }
  return success();
}

} // namespace

LogicalResult LinearAttentionOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  Type stateElement = elementTypeOf(isAbsent(getPastState()) ? getQuery() : getPastState());
  if (failed(expectSameElementType(*this, {0, 1, 2, 4, 5})))
    return failure();
  for (unsigned operand : {0, 1, 2})
    if (failed(expectRank(*this, operand, 3, 3))) // linearattention_c1
      return failure();
  if (getQNumHeads() < 1 || getKvNumHeads() < 1) // linearattention_c2
    return emitOpError() << "expected numbers of heads of 1 or more, got " << getQNumHeads() << " and "
                         << getKvNumHeads();
  if (!getDims(getQuery()) || !getDims(getKey()) || !getDims(getValue())) {
    types.push_back(makeResultType(std::nullopt, elementTypeOf(getQuery())));
    types.push_back(makeResultType(std::nullopt, stateElement));
    return success();
  }
  FailureOr<Heads> q = splitHeads(*this, sizes, 0, getQNumHeads()); // linearattention_c2
  FailureOr<Heads> k = failed(q) ? q : splitHeads(*this, sizes, 1, getKvNumHeads());
  FailureOr<Heads> v = failed(k) ? k : splitHeads(*this, sizes, 2, getKvNumHeads());
  if (failed(v) || failed(expectMultiple(*this, sizes, q->heads, k->heads)) ||
      failed(expectAgreement(*this, sizes, q->batch, k->batch, "batches of queries and keys")) ||
      failed(expectAgreement(*this, sizes, k->batch, v->batch, "batches of keys and values")) ||
      failed(expectAgreement(*this, sizes, q->length, k->length, "lengths of queries and keys")) ||
      failed(expectAgreement(*this, sizes, k->length, v->length, "lengths of keys and values")) ||
      failed(expectAgreement(*this, sizes, q->size, k->size, "sizes of queries and keys"))) // linearattention_c3
    return failure();
  DimList state = {k->batch, k->heads, k->size, v->size};
  if (!isAbsent(getPastState()) &&
      failed(expectShape(*this, sizes, 3, state,
                         {"batch", "heads", "size of a key", "size of a value"}))) // linearattention_c4
    return failure();
  if (failed(checkGates(*this, sizes, *k)))
    return failure();
  types.push_back(
      makeTensorType({q->batch, q->length, joinHeads(getValue(), q->heads, k->heads)}, elementTypeOf(getQuery())));
  types.push_back(makeTensorType(state, stateElement));
  return success();
}

LogicalResult CausalConvWithStateOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this)) || failed(expectRank(*this, 0, 3, 3)) /*causalconvwithstate_c1*/ ||
      failed(expectRank(*this, 1, 3, 3)))
    return failure();
  std::optional<DimList> x = getDims(getInput()), w = getDims(getWeight());
  DimList input = x ? *x : DimList(3, Dim::unknown());
  Dim taps = w ? (*w)[2] : Dim::unknown();
  if (failed(expectShape(*this, sizes, 1, {input[1], Dim(1), taps}, {"channels", "depthwise", ""})))
    return failure();
  if (failed(sizes.requireAtLeast(taps, 1))) // causalconvwithstate_c2
    return emitOpError() << "expected a kernel of 1 or more, got " << taps.getSize();
  Dim channels = w ? moreSpecific(input[1], (*w)[0]) : input[1];
  if (!isAbsent(getBias()) && failed(expectShape(*this, sizes, 2, {channels}, {"channels"}))) // causalconvwithstate_c3
    return failure();
  DimList state = {input[0], channels, taps - 1};
  if (!isAbsent(getPastState()) &&
      failed(expectShape(*this, sizes, 3, state, {"batch", "channels", "kernel - 1"}))) // causalconvwithstate_c4
    return failure();
  likeOperand(*this, 0, types);
  types.push_back(makeTensorType(state, elementTypeOf(getInput())));
  return success();
}

//===- RotaryEmbedding, TensorScatter ---------------------------------------===//

LogicalResult RotaryEmbeddingOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 1, 2})) || failed(expectRank(*this, 0, 3, 4))) // rotaryembedding_c1
    return failure();
  std::optional<DimList> x = getDims(getX());
  Dim size = x ? x->back() : Dim::unknown();
  if (x && x->size() == 3) {
    if (getNumHeads() < 1) // rotaryembedding_c1
      return emitOpError() << "expected 'num_heads' of 1 or more with operands of rank 3";
    FailureOr<Heads> heads = splitHeads(*this, sizes, 0, getNumHeads()); // rotaryembedding_c1
    if (failed(heads))
      return failure();
    size = heads->size;
  }
  Dim rotated = getRotaryEmbeddingDim() == 0 ? size : Dim(getRotaryEmbeddingDim());
  if (getRotaryEmbeddingDim() < 0 || failed(sizes.requireMultiple(rotated, 2)) ||
      failed(sizes.requireAtLeast(size, rotated))) // rotaryembedding_c2
    return emitOpError() << "expected an even rotated size of at most the head size, got " << rotated.getSize();
  bool hasPositions = !isAbsent(getPositionIds());
  if (hasPositions && failed(expectRank(*this, 3, 2, 2))) // rotaryembedding_c3
    return failure();
  int64_t rank = hasPositions ? 2 : 3;
  for (unsigned operand : {1, 2})
    if (failed(expectRank(*this, operand, rank, rank)) /*rotaryembedding_c3*/ ||
        failed(expectDim(*this, sizes, operand, rank - 1, floorDivDim(rotated, 2),
                         "half the rotated size"))) // rotaryembedding_c4
      return failure();
  std::optional<DimList> cosine = getDims(getCosCache()), sine = getDims(getSinCache());
  if (cosine && sine)
    for (auto [a, b] : llvm::zip_equal(*cosine, *sine))
      if (failed(expectAgreement(*this, sizes, a, b, "sizes of both caches"))) // rotaryembedding_c4
        return failure();
  // Positions, or caches without them, may repeat along a dimension of 1.
  unsigned placed = hasPositions ? 3 : 1;
  if (std::optional<DimList> places = getDims(getOperand(placed)); places && x) {
    for (auto [axis, size] : {std::pair(0, x->front()), std::pair(1, (*x)[x->size() - 2])})
      if (failed(sizes.requireBroadcast((*places)[axis], size))) // rotaryembedding_c3
        return emitOpError() << "expected dimension " << axis << " of operand #" << placed << " to be "
                             << size.getSize() << " (" << (axis == 0 ? "batch" : "sequence") << "), got "
                             << (*places)[axis].getSize();
  }
  if (hasPositions && cosine && x &&
      failed(sizes.requireAtLeastFor(productOf(*x), cosine->front(), 1))) // rotaryembedding_c5
    return emitOpError() << "expected caches of 1 position or more, got 0";
  if (hasPositions && cosine && failed(expectIndices(*this, getPositionIds(), cosine->front()))) // rotaryembedding_c5
    return failure();
  likeOperand(*this, 0, types);
  return success();
}

LogicalResult TensorScatterOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 1})))
    return failure();
  std::optional<DimList> cache = getDims(getPastCache()), update = getDims(getUpdate());
  if (cache) {
    int64_t rank = cache->size();
    FailureOr<int64_t> axis = normalizeAxis(*this, getAxis(), rank); // tensorscatter_c1
    if (failed(axis))
      return failure();
    if (*axis == 0) // tensorscatter_c1
      return emitOpError() << "expected an 'axis' other than the batch, got " << getAxis();
    if (failed(expectRank(*this, 1, rank, rank))) // tensorscatter_c2
      return failure();
    for (int64_t i = 0; i < rank; ++i)
      if (i != *axis && failed(expectDim(*this, sizes, 1, i, (*cache)[i], "size of the cache"))) // tensorscatter_c2
        return failure();
    Dim rows = (*cache)[*axis], written = update ? (*update)[*axis] : Dim::unknown();
    if (failed(sizes.requireAtLeast(rows, written))) // tensorscatter_c2
      return emitOpError() << "expected an update of at most " << rows.getSize() << " rows, got " << written.getSize();
    if (!isAbsent(getWriteIndices()) &&
        failed(expectShape(*this, sizes, 2, {cache->front()}, {"batch"}))) // tensorscatter_c3
      return failure();
  }
  likeOperand(*this, 0, types);
  return success();
}
