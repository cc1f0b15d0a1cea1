// Writes padding whose amounts follow from dynamic sizes as concatenation.
#include "passes/Graph/Decompose/DecomposePatterns.h"
#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// Rewrites a Pad such as that of an image to whole windows. Its lowering knows sizes, but no amounts: it would compute
/// for each element where it comes from.
struct PadToConcat : OpRewritePattern<onnx::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::PadOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::DimList> shape = onnx::getDims(op.getData()), amounts = onnx::getKnownDims(op.getPads());
    Type element = getElementTypeOrSelf(op.getData().getType());
    if (op.getMode() != "constant" || !onnx::isAbsent(op.getAxes()) || !element.isIntOrFloat() || !shape ||
        !onnx::areKnown(*shape) || !amounts || amounts->size() != 2 * shape->size() ||
        llvm::all_of(*amounts, [](const Dim &amount) { return amount.isStatic(); }) ||
        !llvm::all_of(*amounts, [](const Dim &amount) { return isNeverNegative(amount); }))
      return failure();
    OnnxBuilder b(rewriter, op.getLoc());
    Value number = onnx::isAbsent(op.getConstantValue()) ? b.numberLike(op.getData(), 0) : op.getConstantValue();
    SmallVector<int64_t> known;
    for (const Dim &amount : *amounts)
      known.push_back(amount.isStatic() ? amount.getSize() : 0);
    Value padded = op.getData();
    if (llvm::any_of(known, [](int64_t amount) { return amount > 0; }))
      padded = b.make<onnx::PadOp>({padded, b.ints(known), number});
    for (int64_t axis = shape->size(); axis-- > 0;) {
      auto border = [&](int64_t at) -> SmallVector<Value> {
        if ((*amounts)[at].isStatic())
          return {};
        SmallVector<Value> sizes;
        for (int64_t i = 0; i < std::ssize(*shape); ++i)
          sizes.push_back(i == axis ? b.slice(op.getPads(), 0, b.ints(at), b.ints(at + 1)) : b.sizeOf(padded, i));
        return {b.make<onnx::ExpandOp>({number, b.concat(sizes, 0)})};
      };
      SmallVector<Value> parts = border(axis), after = border(shape->size() + axis);
      parts.push_back(padded);
      parts.append(after);
      if (parts.size() > 1)
        padded = b.concat(parts, axis);
    }
    rewriter.replaceOp(op, b.as(padded, op.getOutput().getType()));
    return success();
  }
};

} // namespace

void populateDecomposePaddingPatterns(RewritePatternSet &patterns) { patterns.add<PadToConcat>(patterns.getContext()); }

} // namespace cameo::graph
