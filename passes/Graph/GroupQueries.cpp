// --group-queries: products with repeated heads read the heads that are repeated.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/OnnxBuilder.h"
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_GROUPQUERIESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

/// Returns the operand of a Reshape or Unsqueeze whose dimensions are those of `value` without the one at `axis`.
Value findSqueezed(Value value, unsigned axis, onnx::DimList dims) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<onnx::ReshapeOp, onnx::UnsqueezeOp>(op))
    return {};
  dims.erase(dims.begin() + axis);
  std::optional<onnx::DimList> before = onnx::getDims(op->getOperand(0));
  return before && *before == dims ? op->getOperand(0) : Value();
}

/// Returns the heads [batch, shared heads, x, y] that `value` [batch, heads, x, y] repeats, each one so many times in a
/// row; null for other values.
Value findRepeated(Value value) {
  auto joined = value.getDefiningOp<onnx::ReshapeOp>();
  if (!joined)
    return {};
  Operation *repeat = joined.getData().getDefiningOp();
  if (!isa_and_nonnull<onnx::ExpandOp, onnx::TileOp>(repeat))
    return {};
  constexpr unsigned axis = 2;
  std::optional<onnx::DimList> own = onnx::getDims(value), wide = onnx::getDims(joined.getData()),
                               narrow = onnx::getDims(repeat->getOperand(0));
  if (!own || !wide || !narrow || own->size() != 4 || wide->size() != 5 || narrow->size() != 5)
    return {};
  const Dim shared = (*wide)[axis - 1], times = (*wide)[axis], heads = (*own)[1];
  if (!shared.isStatic() || !times.isStatic() || !heads.isStatic() || times.getSize() < 2 ||
      shared.getSize() * times.getSize() != heads.getSize() || (*narrow)[axis] != Dim(1))
    return {};
  // Only this dimension grows, and joining it with the one before leaves the others.
  onnx::DimList expected = *wide;
  expected[axis] = Dim(1);
  if (*narrow != expected)
    return {};
  expected.erase(expected.begin() + axis);
  expected[1] = heads;
  return *own == expected ? findSqueezed(repeat->getOperand(0), axis, *narrow) : Value();
}

bool swapsLastTwo(onnx::TransposeOp op) {
  std::optional<ArrayRef<int64_t>> perm = op.getPerm();
  return perm && *perm == ArrayRef<int64_t>{0, 1, 3, 2};
}

struct ReadSharedHeads : OpRewritePattern<onnx::MatMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::MatMulOp op, PatternRewriter &rewriter) const override {
    auto transpose = op.getB().getDefiningOp<onnx::TransposeOp>();
    bool isTransposed = transpose && swapsLastTwo(transpose);
    Value repeated = isTransposed ? transpose.getData() : op.getB();
    std::optional<onnx::DimList> rows = onnx::getDims(op.getA()), dims = onnx::getDims(repeated);
    Value shared = findRepeated(repeated);
    if (!shared || !rows || rows->size() != 4 || (*rows)[0] != (*dims)[0] || (*rows)[1] != (*dims)[1])
      return failure();
    const int64_t heads = (*rows)[1].getSize(), sharedHeads = (*onnx::getDims(shared))[1].getSize();

    OnnxBuilder b(rewriter, op.getLoc());
    Value a = b.reshape(op.getA(), {0, sharedHeads, -1, 0});
    Value matrix = isTransposed ? b.transpose(shared, {0, 1, 3, 2}) : shared;
    Value product = b.reshape(b.make<onnx::MatMulOp>({a, matrix}), {0, heads, -1, 0});
    rewriter.replaceOp(op, b.as(product, op.getType()));
    return success();
  }
};

struct GroupQueriesPass : impl::GroupQueriesPassBase<GroupQueriesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReadSharedHeads>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
