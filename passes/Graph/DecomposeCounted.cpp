// Operators of a size that data decides: an operation that counts, the prefix that counts, and the usual movements behind it.
// What comes after sees ordinary shapes, in which the counted size is one more name.
#include "passes/Graph/DecomposePatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// An operation whose result types follow from its operands. Null where the shapes do not fit, after an error.
template <typename OpTy>
OpTy createInferred(PatternRewriter &rewriter, Location loc, unsigned results, ValueRange operands,
                    ArrayRef<NamedAttribute> attributes = {}) {
  SmallVector<Type> types(results, UnrankedTensorType::get(rewriter.getF32Type()));
  auto op = OpTy::create(rewriter, loc, TypeRange(types), operands, attributes);
  return succeeded(op.inferShapes()) ? op : OpTy();
}

/// The part of `data` that counts; its first dimension is `size`.
Value createPrefix(PatternRewriter &rewriter, Location loc, Value data, Value count, const onnx::Dim &size) {
  onnx::DimList dims = *onnx::getDims(data);
  dims.front() = size;
  auto type = onnx::makeTensorType(dims, cast<RankedTensorType>(data.getType()).getElementType());
  return onnx::PrefixOp::create(rewriter, loc, TypeRange(type), {data, count}, ArrayRef<NamedAttribute>{});
}

/// The name of what an operator counts, when there is something to count.
std::optional<onnx::Dim> getCountedSize(onnx::DataSizedOp op) {
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    std::optional<int64_t> axis = onnx::isAbsent(result) ? std::nullopt : op.getDataSizedAxis(number);
    std::optional<onnx::DimList> dims = onnx::getDims(result);
    if (axis && dims && (*dims)[*axis].isNamed())
      return (*dims)[*axis];
  }
  return std::nullopt;
}

Value flatten(PatternRewriter &rewriter, Location loc, Value value) {
  Value shape = onnx::makeIntsConstant(rewriter, loc, {-1});
  return createInferred<onnx::ReshapeOp>(rewriter, loc, 1, {value, shape}).getReshaped();
}

Value gather(PatternRewriter &rewriter, Location loc, Value data, Value indices, int64_t axis) {
  NamedAttribute along = rewriter.getNamedAttr("axis", rewriter.getI64IntegerAttr(axis));
  return createInferred<onnx::GatherOp>(rewriter, loc, 1, {data, indices}, along).getOutput();
}

/// Rows of positions, transposed: exporters transpose them back.
struct CountNonZero : OpRewritePattern<onnx::NonZeroOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::NonZeroOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::Dim> size = getCountedSize(op);
    if (!size || !onnx::getDims(op.getX()))
      return failure();
    Location loc = op.getLoc();
    auto counted = createInferred<onnx::CountedNonZeroOp>(rewriter, loc, 2, op.getX());
    Value rows = createPrefix(rewriter, loc, counted.getPositions(), counted.getCount(), *size);
    NamedAttribute perm = rewriter.getNamedAttr("perm", rewriter.getDenseI64ArrayAttr({1, 0}));
    rewriter.replaceOp(op, createInferred<onnx::TransposeOp>(rewriter, loc, 1, rows, perm));
    return success();
  }
};

/// A gather at the places where the condition holds.
struct CountCompress : OpRewritePattern<onnx::CompressOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::CompressOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::Dim> size = getCountedSize(op);
    if (!size || !onnx::getDims(op.getInput()) || !onnx::getDims(op.getCondition()))
      return failure();
    Location loc = op.getLoc();
    auto counted = createInferred<onnx::CountedNonZeroOp>(rewriter, loc, 2, op.getCondition());
    Value rows = createPrefix(rewriter, loc, counted.getPositions(), counted.getCount(), *size);
    Value data = op.getAxis() ? op.getInput() : flatten(rewriter, loc, op.getInput());
    rewriter.replaceOp(op, gather(rewriter, loc, data, flatten(rewriter, loc, rows), op.getAxis().value_or(0)));
    return success();
  }
};

struct CountUnique : OpRewritePattern<onnx::UniqueOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::UniqueOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::Dim> size = getCountedSize(op);
    if (!size || !onnx::getDims(op.getX()))
      return failure();
    Location loc = op.getLoc();
    auto counted = createInferred<onnx::CountedUniqueOp>(rewriter, loc, 4, op.getX(), op->getAttrs());
    Value indices = createPrefix(rewriter, loc, counted.getIndices(), counted.getCount(), *size);
    Value data = op.getAxis() ? op.getX() : flatten(rewriter, loc, op.getX());
    SmallVector<Value> results = {gather(rewriter, loc, data, indices, op.getAxis().value_or(0)), indices, counted.getInverse(),
                                  createPrefix(rewriter, loc, counted.getCounts(), counted.getCount(), *size)};
    for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
      if (onnx::isAbsent(result))
        value = onnx::makeNone(rewriter, loc);
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct CountNonMaxSuppression : OpRewritePattern<onnx::NonMaxSuppressionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::NonMaxSuppressionOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::Dim> size = getCountedSize(op);
    if (!size || !onnx::getDims(op.getScores()))
      return failure();
    Location loc = op.getLoc();
    auto counted = createInferred<onnx::CountedNonMaxSuppressionOp>(rewriter, loc, 2, op->getOperands(), op->getAttrs());
    rewriter.replaceOp(op, createPrefix(rewriter, loc, counted.getSelected(), counted.getCount(), *size));
    return success();
  }
};

} // namespace

void populateDecomposeCountedPatterns(RewritePatternSet &patterns) {
  patterns.add<CountNonZero, CountCompress, CountUnique, CountNonMaxSuppression>(patterns.getContext());
}

} // namespace cameo::graph
