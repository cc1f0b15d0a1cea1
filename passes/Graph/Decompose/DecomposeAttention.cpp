// Decomposes Attention into two matrix products around a Softmax. Query heads that share keys and values become rows of
// one product.
#include "passes/Graph/Decompose/DecomposePatterns.h"
#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/ElementTypes.h"

#include <cmath>

using namespace mlir;

namespace cameo::graph {
namespace {

class AttentionWriter {
public:
  AttentionWriter(onnx::AttentionOp op, PatternRewriter &rewriter) : op(op), b(rewriter, op.getLoc()) {}

  /// Returns Y, present_key, present_value, qk_matmul_output; null for unused results.
  SmallVector<Value> write();

private:
  Value toHeads(Value value, std::optional<int64_t> heads);
  Value repeatHeads(Value value);
  Value scaleQueries();
  Value capScores(Value scores);
  Value scalar(Value vector) { return b.make<onnx::SqueezeOp>({vector, b.ints(0)}); }
  Value range(Value count) { return b.make<onnx::RangeOp>({scalar(b.ints(0)), scalar(count), scalar(b.ints(1))}); }
  Value both(Value a, Value c) { return !a ? c : !c ? a : b.make<onnx::AndOp>({a, c}); }
  Value perBatch(Value lengths) { return b.unsqueeze(lengths, {1, 2, 3}); }
  Value padMask();
  Value allowedByPosition();
  Value applyMasks(Value scores);
  Value normalize(Value scores);

  onnx::AttentionOp op;
  OnnxBuilder b;
  Value q, k, v;
  /// Whether all keys of a query may be masked.
  bool mayMaskAll = false;
};

/// Converts to batch x heads x sequence x size.
Value AttentionWriter::toHeads(Value value, std::optional<int64_t> heads) {
  if (onnx::getDims(value)->size() == 4)
    return value;
  return b.transpose(b.reshape(value, {0, 0, *heads, -1}), {0, 2, 1, 3});
}

/// Repeats keys or values for each query head. Used if the number of heads that share them is dynamic, so that their
/// queries cannot become rows of one product.
Value AttentionWriter::repeatHeads(Value value) {
  Value heads = b.sizeOf(q, 1), places = b.make<onnx::MulOp>({range(heads), b.sizeOf(value, 1)});
  return b.make<onnx::GatherOp>({value, b.make<onnx::DivOp>({places, heads})}, b.attr("axis", 1));
}

/// Scales the queries instead of the scores or the keys, which are longer because of the cache.
Value AttentionWriter::scaleQueries() {
  Dim size = onnx::getDims(q)->back();
  if (op.getScale())
    return b.make<onnx::MulOp>({q, b.numberLike(q, *op.getScale())});
  if (size.isStatic())
    return b.make<onnx::MulOp>({q, b.numberLike(q, size.getSize() == 0 ? 1 : 1 / std::sqrt(double(size.getSize())))});
  Value root = b.make<onnx::SqrtOp>(b.cast(b.sizeOf(q, 3), getElementTypeOrSelf(q.getType())));
  return b.make<onnx::DivOp>({q, root});
}

Value AttentionWriter::capScores(Value scores) {
  if (op.getSoftcap() == 0)
    return scores;
  Value cap = b.numberLike(scores, op.getSoftcap());
  return b.make<onnx::MulOp>({b.make<onnx::TanhOp>(b.make<onnx::DivOp>({scores, cap})), cap});
}

/// Pads the mask to the number of keys. Keys behind its end are not attended.
Value AttentionWriter::padMask() {
  Value mask = op.getAttnMask();
  onnx::DimList dims = *onnx::getDims(mask);
  Dim total = (*onnx::getDims(k))[2];
  if (dims.empty() || dims.back() == total || dims.back() == 1)
    return mask;
  Value missing = b.make<onnx::SubOp>({b.sizeOf(k, 2), b.sizeOf(mask, dims.size() - 1)});
  Type element = getElementTypeOrSelf(mask.getType());
  bool adds = isa<FloatType>(element);
  Value filler = adds ? b.numberLike(mask, -INFINITY) : b.none();
  return b.make<onnx::PadOp>({mask, b.concat({b.ints(0), missing}, 0), filler, b.ints(-1)});
}

/// Returns which keys each query may attend to by causality, windows and the lengths of caches; null if all.
Value AttentionWriter::allowedByPosition() {
  bool hasLengths = !onnx::isAbsent(op.getNonpadKvSeqlen());
  int64_t left = op.getLeftWindowSize(), right = op.getRightWindowSize();
  bool isOrdered = op.getIsCausal() != 0 || left >= 0 || right >= 0;
  if (!hasLengths && !isOrdered)
    return {};
  Value keys = range(b.sizeOf(k, 2)), allowed;
  if (hasLengths)
    allowed = b.make<onnx::LessOp>({keys, perBatch(op.getNonpadKvSeqlen())});
  if (!isOrdered)
    return allowed;
  Value queries = b.unsqueeze(range(b.sizeOf(q, 2)), {1});
  if (!onnx::isAbsent(op.getPastKey()))
    queries = b.make<onnx::AddOp>({queries, b.sizeOf(op.getPastKey(), 2)});
  if (hasLengths)
    queries = b.make<onnx::AddOp>({queries, perBatch(b.make<onnx::SubOp>({op.getNonpadKvSeqlen(), b.sizeOf(q, 2)}))});
  if (op.getIsCausal() != 0)
    allowed = both(allowed, b.make<onnx::LessOrEqualOp>({keys, queries}));
  if (left >= 0)
    allowed = both(allowed, b.make<onnx::GreaterOrEqualOp>({keys, b.make<onnx::SubOp>({queries, b.ints(left)})}));
  if (right >= 0)
    allowed = both(allowed, b.make<onnx::LessOrEqualOp>({keys, b.make<onnx::AddOp>({queries, b.ints(right)})}));
  mayMaskAll = hasLengths || left >= 0;
  return allowed;
}

Value AttentionWriter::applyMasks(Value scores) {
  Value allowed = allowedByPosition();
  if (!onnx::isAbsent(op.getAttnMask())) {
    mayMaskAll = true;
    Value mask = padMask();
    if (getElementTypeOrSelf(mask.getType()).isInteger(1))
      allowed = both(allowed, mask);
    else
      scores = b.make<onnx::AddOp>({scores, b.cast(mask, getElementTypeOrSelf(scores.getType()))});
  }
  return allowed ? b.make<onnx::WhereOp>({allowed, scores, b.numberLike(scores, -INFINITY)}) : scores;
}

/// Creates the Softmax. A row without any key becomes zero.
Value AttentionWriter::normalize(Value scores) {
  Type element = getElementTypeOrSelf(scores.getType());
  if (op.getSoftmaxPrecision())
    scores = b.cast(scores, onnx::getElementTypeOf(op.getContext(), *op.getSoftmaxPrecision()));
  NamedAttribute lastAxis = b.attr("axis", -1);
  if (!mayMaskAll)
    return b.cast(b.make<onnx::SoftmaxOp>(scores, lastAxis), element);
  Value greatest = b.make<onnx::ReduceMaxOp>({scores, b.ints(-1)});
  Value isEmpty = b.make<onnx::EqualOp>({greatest, b.numberLike(scores, -INFINITY)}), zero = b.numberLike(scores, 0);
  Value safe = b.make<onnx::WhereOp>({isEmpty, zero, scores});
  return b.cast(b.make<onnx::WhereOp>({isEmpty, zero, b.make<onnx::SoftmaxOp>(safe, lastAxis)}), element);
}

SmallVector<Value> AttentionWriter::write() {
  q = toHeads(op.getQ(), op.getQNumHeads());
  k = toHeads(op.getK(), op.getKvNumHeads());
  v = toHeads(op.getV(), op.getKvNumHeads());
  if (!onnx::isAbsent(op.getPastKey())) {
    k = b.concat({op.getPastKey(), k}, 2);
    v = b.concat({op.getPastValue(), v}, 2);
  }
  Dim heads = (*onnx::getDims(q))[1], sharedHeads = (*onnx::getDims(k))[1];
  bool isRepeated = heads != sharedHeads && !(heads.isStatic() && sharedHeads.isStatic());
  bool isJoined = heads != sharedHeads && !isRepeated;
  auto toShared = [&](Value value) { return isJoined ? b.reshape(value, {0, sharedHeads.getSize(), -1, 0}) : value; };
  auto toOwn = [&](Value value) { return isJoined ? b.reshape(value, {0, heads.getSize(), -1, 0}) : value; };
  Value ownKeys = isRepeated ? repeatHeads(k) : k, ownValues = isRepeated ? repeatHeads(v) : v;

  Value scores = toOwn(b.make<onnx::MatMulOp>({toShared(scaleQueries()), b.transpose(ownKeys, {0, 1, 3, 2})}));
  Value capped = capScores(scores), masked = applyMasks(capped), weights = normalize(masked);
  Type element = getElementTypeOrSelf(q.getType()), valueElement = getElementTypeOrSelf(v.getType());
  Type type = valueElement.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth() ? valueElement : element;
  Value y = toOwn(b.make<onnx::MatMulOp>({b.cast(toShared(weights), type), b.cast(ownValues, type)}));
  y = b.cast(y, element);
  if (onnx::getDims(op.getQ())->size() == 3)
    y = b.reshape(b.transpose(y, {0, 2, 1, 3}), {0, 0, -1});
  return {y, k, v, SmallVector<Value>{scores, capped, masked, weights}[op.getQkMatmulOutputMode()]};
}

struct AttentionToProducts : OpRewritePattern<onnx::AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::AttentionOp op, PatternRewriter &rewriter) const override {
    for (Value operand : op->getOperands())
      if (!onnx::isAbsent(operand) && !onnx::getDims(operand))
        return failure();
    SmallVector<Value> values = AttentionWriter(op, rewriter).write();
    OnnxBuilder b(rewriter, op.getLoc());
    for (auto [value, result] : llvm::zip_equal(values, op->getResults()))
      value = onnx::isAbsent(result) ? b.none() : b.as(value, result.getType());
    rewriter.replaceOp(op, values);
    return success();
  }
};

} // namespace

void populateDecomposeAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add<AttentionToProducts>(patterns.getContext());
}

} // namespace cameo::graph
