#include "passes/Codegen/Llvm/FloatExtrema.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

#include <numeric>

using namespace mlir;

namespace cameo {
namespace {

/// The first select becomes one x86 instruction, which returns its second operand if either operand is NaN. That is our
/// first operand. A NaN in our second operand is tested separately. So the dependence chain of an accumulator, which is
/// our first operand, consists only of this instruction and of the `or` that inserts the NaN.
template <typename Op, arith::CmpFPredicate predicate> struct ExpandExtremum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value first = op.getLhs(), second = op.getRhs();
    Value isBeyond = arith::CmpFOp::create(rewriter, loc, predicate, second, first);
    Value extremum = arith::SelectOp::create(rewriter, loc, isBeyond, second, first);
    // All bits set are a NaN. LLVM would merge a second select with the first one, which would put two comparisons on
    // the dependence chain of the accumulator.
    Value isNaN = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UNO, second, second);
    Type integer = rewriter.getIntegerType(getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth());
    if (auto vector = dyn_cast<VectorType>(op.getType()))
      integer = vector.clone(integer);
    Value bits = arith::BitcastOp::create(rewriter, loc, integer, extremum),
          allOnes = arith::ExtSIOp::create(rewriter, loc, integer, isNaN);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), arith::OrIOp::create(rewriter, loc, bits, allOnes));
    return success();
  }
};

/// Combines one half of the lanes with the other half until one lane is left. LLVM's own expansion orders zeros by sign
/// at each step.
struct ExpandReduction : OpRewritePattern<vector::ReductionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ReductionOp op, PatternRewriter &rewriter) const override {
    using Kind = vector::CombiningKind;
    VectorType type = op.getSourceVectorType();
    if ((op.getKind() != Kind::MAXIMUMF && op.getKind() != Kind::MINIMUMF) || type.isScalable() ||
        !llvm::isPowerOf2_64(type.getNumElements()))
      return failure();
    Location loc = op.getLoc();
    Value lanes = op.getVector();
    for (int64_t half = type.getNumElements() / 2; half > 0; half /= 2) {
      SmallVector<int64_t> lower(half), upper(half);
      std::iota(lower.begin(), lower.end(), 0);
      std::iota(upper.begin(), upper.end(), half);
      Value first = vector::ShuffleOp::create(rewriter, loc, lanes, lanes, lower),
            second = vector::ShuffleOp::create(rewriter, loc, lanes, lanes, upper);
      lanes = vector::makeArithReduction(rewriter, loc, op.getKind(), first, second);
    }
    Value result = vector::ExtractOp::create(rewriter, loc, lanes, 0);
    rewriter.replaceOp(op, op.getAcc() ? vector::makeArithReduction(rewriter, loc, op.getKind(), op.getAcc(), result)
                                       : result);
    return success();
  }
};

} // namespace

void populateFloatExtremumPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExtremum<arith::MaximumFOp, arith::CmpFPredicate::OGT>,
               ExpandExtremum<arith::MinimumFOp, arith::CmpFPredicate::OLT>, ExpandReduction>(patterns.getContext(),
                                                                                              /*benefit=*/2);
}

} // namespace cameo
