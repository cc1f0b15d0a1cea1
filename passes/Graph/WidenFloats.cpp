// --widen-floats computes a model in float64, as a reference that shows which of two results in float32 is more exact.
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_WIDENFLOATSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

bool isFloat32(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isF32();
}

Value cast(OpBuilder &builder, Value value, Type element) {
  int64_t number = element.isF64() ? 11 : 1; // TensorProto.DOUBLE, TensorProto.FLOAT
  auto type = llvm::cast<RankedTensorType>(value.getType()).clone(element);
  NamedAttribute to = builder.getNamedAttr("to", builder.getI64IntegerAttr(number));
  return onnx::CastOp::create(builder, value.getLoc(), TypeRange(type), ValueRange(value),
                              ArrayRef<NamedAttribute>(to));
}

class Widener {
public:
  explicit Widener(MLIRContext *context) : builder(context) {}

  void widen(Operation *op);

private:
  Value wideOf(Value value);

  OpBuilder builder;
  DenseMap<Value, Value> wide; ///< the float64 values of float32 values
};

Value Widener::wideOf(Value value) {
  Value &known = wide[value];
  if (!known) {
    builder.setInsertionPointAfterValue(value);
    known = cast(builder, value, builder.getF64Type());
  }
  return known;
}

/// Replaces an operation by a copy in float64 if the verifier accepts the copy, so that no list of operations is
/// needed.
void Widener::widen(Operation *op) {
  if (llvm::none_of(op->getOperandTypes(), isFloat32) || llvm::none_of(op->getResultTypes(), isFloat32))
    return;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isFloat32(operand.getType()) ? wideOf(operand) : operand);
  builder.setInsertionPoint(op);
  Operation *widened = builder.clone(*op);
  widened->setOperands(operands);
  for (Value result : widened->getResults())
    if (isFloat32(result.getType()))
      result.setType(llvm::cast<RankedTensorType>(result.getType()).clone(builder.getF64Type()));
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
  if (failed(verify(widened)))
    return widened->erase();
  for (auto [narrow, result] : llvm::zip_equal(op->getResults(), widened->getResults())) {
    Value replacement = result;
    if (isFloat32(narrow.getType())) {
      replacement = cast(builder, result, builder.getF32Type());
      wide[replacement] = result;
    }
    narrow.replaceAllUsesWith(replacement);
  }
  op->erase();
}

struct WidenFloatsPass : impl::WidenFloatsPassBase<WidenFloatsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if ((isa<onnx::OnnxDialect>(op->getDialect()) || isa<onnx::OnnxOp>(op)) && op->getNumRegions() == 0)
        ops.push_back(op);
    });
    Widener widener(&getContext());
    for (Operation *op : ops)
      widener.widen(op);
    // Erasing is safe, because the walk has already advanced to the next operation.
    getOperation().walk([](onnx::CastOp op) {
      if (op->use_empty())
        op->erase();
    });
  }
};

} // namespace
} // namespace cameo
