// --check-read-shapes adds checks that end a run if its data asks for another shape of a result than the model states.
#include "passes/Graph/Passes.h"
#include "passes/Graph/ReadShapes.h"
#include "passes/Graph/RunChecks.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/StatedShapes.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_CHECKREADSHAPESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

using cameo::Dim;
using graph::OnnxBuilder;
using onnx::DimList;

bool isKnown(Value value) {
  std::optional<DimList> dims = onnx::getDims(value);
  return dims && onnx::areKnown(*dims);
}

/// Whether the operation reads its axis at run time, and its result has the same shape for every axis. The axis may be
/// invalid.
bool readsAxisAlone(Operation *op) {
  return isa<onnx::CumSumOp, onnx::CumProdOp>(op) && !onnx::getKnownInts(op->getOperand(1));
}

/// Whether the operation reads axes, sizes or repeats from a vector of dynamic length. The values of a OneHot and the
/// window of an STFT are data.
bool readsOpenLength(Operation *op) {
  if (isa<onnx::OneHotOp, onnx::STFTOp>(op))
    return false;
  return llvm::any_of(llvm::drop_begin(op->getOperands(), isa<onnx::ConstantOfShapeOp>(op) ? 0 : 1), [](Value read) {
    std::optional<DimList> dims = onnx::isAbsent(read) ? std::nullopt : onnx::getDims(read);
    return dims && dims->size() == 1 && !dims->front().isStatic();
  });
}

struct CheckReadShapes : impl::CheckReadShapesPassBase<CheckReadShapes> {
  using CheckReadShapesPassBase::CheckReadShapesPassBase;

  void check(onnx::OnnxOp op, graph::RunChecks &checks) {
    auto isClear = [](Value each) { return onnx::isAbsent(each) || isKnown(each); };
    if (op->use_empty() || !llvm::all_of(op->getOperands(), isClear) || !llvm::all_of(op->getResults(), isClear) ||
        !(comparesAll ? onnx::mayReadOtherShape(op) || readsAxisAlone(op)
                      : onnx::mayReadOtherShape(op) && !readsOpenLength(op)))
      return;
    PatternRewriter rewriter(&getContext());
    rewriter.setInsertionPointAfter(op);
    OnnxBuilder b(rewriter, op->getLoc());
    Value isRight;
    for (Value condition : graph::compareReadShapes(b, op)) {
      Value all = b.make<onnx::ReduceMinOp>({b.reshape(b.cast(condition, b.getI64Type()), {-1}), b.ints(0)},
                                            b.attr("keepdims", 1));
      isRight = isRight ? b.make<onnx::MinOp>({isRight, all}) : all;
    }
    if (!isRight)
      return;
    Value isWrong = b.make<onnx::SubOp>({b.ints(1), isRight});
    // The operations of the check itself keep reading the unchecked result.
    llvm::SmallPtrSet<Operation *, 32> own;
    Operation *made = op;
    for (Value result : op->getResults()) {
      if (onnx::isAbsent(result) || result.use_empty())
        continue;
      Value guarded = checks.guard(b, result, isWrong);
      while (made != guarded.getDefiningOp())
        own.insert(made = made->getNextNode());
      result.replaceAllUsesExcept(guarded, own);
    }
  }

  void runOnOperation() override {
    graph::RunChecks checks(getOperation(), task::Predicates(getOperation().getBody().front()));
    SmallVector<onnx::OnnxOp> ops;
    getOperation().walk([&](onnx::OnnxOp op) { ops.push_back(op); });
    llvm::for_each(ops, [&](onnx::OnnxOp op) { check(op, checks); });
  }
};

} // namespace
} // namespace cameo
