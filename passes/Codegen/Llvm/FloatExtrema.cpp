#include "passes/Codegen/Llvm/FloatExtrema.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

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
    if (bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::nnan)) {
      rewriter.replaceOp(op, extremum);
      return success();
    }
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

/// Whether the reduction is a maximum or minimum of floats whose lanes can be halved.
bool canExpand(vector::ReductionOp op) {
  using Kind = vector::CombiningKind;
  VectorType type = op.getSourceVectorType();
  return (op.getKind() == Kind::MAXIMUMF || op.getKind() == Kind::MINIMUMF) && !type.isScalable() &&
         llvm::isPowerOf2_64(type.getNumElements());
}

/// Combines one half of the lanes with the other half until one lane is left.
void expand(vector::ReductionOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value lanes = op.getVector();
  for (int64_t half = op.getSourceVectorType().getNumElements() / 2; half > 0; half /= 2) {
    SmallVector<int64_t> lower(half), upper(half);
    std::iota(lower.begin(), lower.end(), 0);
    std::iota(upper.begin(), upper.end(), half);
    Value first = vector::ShuffleOp::create(builder, loc, lanes, lanes, lower),
          second = vector::ShuffleOp::create(builder, loc, lanes, lanes, upper);
    lanes = vector::makeArithReduction(builder, loc, op.getKind(), first, second, op.getFastmathAttr());
  }
  Value result = vector::ExtractOp::create(builder, loc, lanes, 0);
  if (op.getAcc())
    result = vector::makeArithReduction(builder, loc, op.getKind(), op.getAcc(), result, op.getFastmathAttr());
  op.replaceAllUsesWith(result);
  op.erase();
}

} // namespace

void expandFloatReductions(Operation *module) {
  module->walk([](vector::ReductionOp op) {
    if (canExpand(op))
      expand(op);
  });
}

void passNaNOn(Operation *module) {
  auto forget = [](auto op) { op.setFastmath(op.getFastmath() & ~arith::FastMathFlags::nnan); };
  module->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<arith::MaximumFOp, arith::MinimumFOp, vector::ReductionOp>(forget);
  });
}

void populateFloatExtremumPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExtremum<arith::MaximumFOp, arith::CmpFPredicate::OGT>,
               ExpandExtremum<arith::MinimumFOp, arith::CmpFPredicate::OLT>>(patterns.getContext(), /*benefit=*/2);
}

} // namespace cameo
