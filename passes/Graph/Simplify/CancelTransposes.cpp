// --cancel-transposes: removes transposes that exporters insert to convert between the layouts of frameworks.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_CANCELTRANSPOSESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

using Perm = SmallVector<int64_t>;

/// Returns the permutation. Without the attribute it reverses the dimensions; returns nothing if the rank is unknown.
std::optional<Perm> getPerm(onnx::TransposeOp op) {
  if (op.getPerm())
    return Perm(*op.getPerm());
  auto type = dyn_cast<RankedTensorType>(op.getData().getType());
  if (!type)
    return std::nullopt;
  Perm reversed = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

bool isIdentity(ArrayRef<int64_t> perm) {
  return llvm::all_of(llvm::enumerate(perm),
                      [](auto entry) { return static_cast<int64_t>(entry.index()) == entry.value(); });
}

Value createTranspose(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> perm, Type type) {
  NamedAttribute attr = builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(perm));
  return onnx::TransposeOp::create(builder, loc, TypeRange(type), ValueRange(value), ArrayRef<NamedAttribute>(attr));
}

struct MergeTransposes : OpRewritePattern<onnx::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::TransposeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getData().getDefiningOp<onnx::TransposeOp>();
    if (!inner)
      return failure();
    std::optional<Perm> first = getPerm(inner), second = getPerm(op);
    if (!first || !second)
      return failure();
    Perm both = llvm::map_to_vector(*second, [&](int64_t dim) { return (*first)[dim]; });
    if (isIdentity(both)) {
      if (inner.getData().getType() != op.getTransposed().getType())
        return failure();
      rewriter.replaceOp(op, inner.getData());
    } else {
      rewriter.replaceOp(op,
                         createTranspose(rewriter, op.getLoc(), inner.getData(), both, op.getTransposed().getType()));
    }
    return success();
  }
};

/// Removes a transpose that moves nothing, and rewrites one that moves only dimensions of size 1 to a reshape.
struct RemoveFreeTranspose : OpRewritePattern<onnx::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::TransposeOp op, PatternRewriter &rewriter) const override {
    std::optional<Perm> perm = getPerm(op);
    if (!perm)
      return failure();
    if (isIdentity(*perm) && op.getData().getType() == op.getTransposed().getType()) {
      rewriter.replaceOp(op, op.getData());
      return success();
    }
    std::optional<onnx::DimList> from = onnx::getDims(op.getData()), to = onnx::getDims(op.getTransposed());
    if (!from || !to || !onnx::canStateShape(*from, *to))
      return failure();
    llvm::erase_if(*perm, [&](int64_t dim) { return (*from)[dim] == 1; });
    if (!llvm::is_sorted(*perm))
      return failure();
    rewriter.replaceOp(op, onnx::makeDimReshape(rewriter, op.getLoc(), op.getData(), *to));
    return success();
  }
};

bool isConstant(Value value) { return isa_and_nonnull<onnx::ConstantOp>(value.getDefiningOp()); }

bool isSingleNumber(Value value) {
  RankedTensorType type = getStaticType(value);
  return isa<NoneType>(value.getType()) || (type && type.hasStaticShape() && type.getNumElements() == 1);
}

/// Whether every use of the value is a transpose, or an elementwise op whose uses are transposes.
bool leadsToTransposes(Value value, unsigned depth = 0) {
  if (depth > 8 || value.use_empty())
    return false;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isa<onnx::TransposeOp>(user))
      return true;
    bool othersAreConstant = llvm::all_of(user->getOperands(), [&](Value operand) {
      return operand == value || isSingleNumber(operand) || isConstant(operand);
    });
    return user->hasTrait<onnx::PointwiseOnnxOp>() && othersAreConstant &&
           leadsToTransposes(user->getResult(0), depth + 1);
  });
}

/// Rewrites op(transpose(x), transpose(y)) to transpose(op(x, y)) if that removes a transpose, or makes two transposes
/// adjacent.
struct MoveThroughElementwise : OpTraitRewritePattern<onnx::PointwiseOnnxOp> {
  using OpTraitRewritePattern::OpTraitRewritePattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    std::optional<Perm> perm = result ? findPerm(op, result) : std::nullopt;
    if (!perm)
      return failure();
    SmallVector<Value> operands;
    onnx::DimList dims = *onnx::getDims(result), shape(dims.size());
    Perm inverse(result.getRank());
    for (auto [index, dim] : llvm::enumerate(*perm)) {
      shape[dim] = dims[index];
      inverse[dim] = index;
    }
    for (Value operand : op->getOperands()) {
      auto transpose = operand.getDefiningOp<onnx::TransposeOp>();
      if (transpose)
        operands.push_back(transpose.getData());
      else if (isSingleNumber(operand))
        operands.push_back(operand);
      else
        operands.push_back(transposeConstant(rewriter, op->getLoc(), operand, inverse));
    }
    Operation *moved = rewriter.clone(*op);
    moved->setOperands(operands);
    moved->getResult(0).setType(onnx::makeTensorType(shape, result.getElementType()));
    rewriter.replaceOp(op, createTranspose(rewriter, op->getLoc(), moved->getResult(0), *perm, result));
    return success();
  }

private:
  /// Returns the permutation that all operands share, if moving it is worthwhile.
  static std::optional<Perm> findPerm(Operation *op, RankedTensorType result) {
    std::optional<Perm> perm;
    unsigned transposes = 0;
    for (Value operand : op->getOperands()) {
      if (isSingleNumber(operand))
        continue;
      if (isConstant(operand) && getStaticType(operand) && getStaticType(operand).getRank() <= result.getRank())
        continue;
      auto transpose = operand.getDefiningOp<onnx::TransposeOp>();
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      std::optional<Perm> own = transpose ? getPerm(transpose) : std::nullopt;
      if (!own || !operand.hasOneUse() || !type || type.getRank() != result.getRank() || (perm && *perm != *own))
        return std::nullopt;
      perm = std::move(own);
      ++transposes;
    }
    bool pays = transposes > 1 || (perm && leadsToTransposes(op->getResult(0)));
    return pays ? perm : std::nullopt;
  }

  static Value transposeConstant(OpBuilder &builder, Location loc, Value constant, ArrayRef<int64_t> perm) {
    RankedTensorType type = getStaticType(constant);
    SmallVector<int64_t> shape(perm.size() - type.getRank(), 1), permuted;
    llvm::append_range(shape, type.getShape());
    for (int64_t dim : perm)
      permuted.push_back(shape[dim]);
    Value whole = type.getRank() == static_cast<int64_t>(perm.size())
                      ? constant
                      : onnx::makeReshape(builder, loc, constant, shape);
    return createTranspose(builder, loc, whole, perm, RankedTensorType::get(permuted, type.getElementType()));
  }
};

struct CancelTransposesPass : impl::CancelTransposesPassBase<CancelTransposesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<MergeTransposes, RemoveFreeTranspose, MoveThroughElementwise>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
