#include "frontend/ShapeInference/Passes.h"
#include "frontend/ShapeInference/ReconcileTypes.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Onnx/OnnxInterfaces.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cameo {
#define GEN_PASS_DEF_INFERSHAPES
#include "frontend/ShapeInference/Passes.h.inc"
} // namespace cameo

using namespace mlir;
using namespace cameo;

namespace {

/// Infers the types of the results. Their previous types count as stated.
LogicalResult inferResults(cameo::onnx::OnnxOp op) {
  SmallVector<Type> stated(op->getResultTypes());
  if (failed(op.inferShapes()))
    return failure();
  for (auto [result, type] : llvm::zip(op->getResults(), stated)) {
    auto tensor = dyn_cast<TensorType>(type);
    if (!tensor)
      continue;
    std::string name = ("result #" + Twine(result.getResultNumber())).str();
    FailureOr<Type> reconciled = reconcileTypes(result.getType(), {name, tensor}, op.getLoc());
    if (failed(reconciled))
      return failure();
    result.setType(*reconciled);
  }
  return success();
}

bool isUnknown(Type type) {
  if (!isa<TensorType>(type))
    return false;
  std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(type);
  return !dims || llvm::any_of(*dims, [](const cameo::Dim &dim) { return dim.isUnknown(); });
}

void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Sets the result types of the function to the types of what it returns.
void updateFunctionType(func::FuncOp function) {
  Operation *terminator = function.getBody().back().getTerminator();
  function.setFunctionType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(), terminator->getOperandTypes()));
}

struct InferShapesPass : public cameo::impl::InferShapesBase<InferShapesPass> {
  using InferShapesBase::InferShapesBase;

  void runOnOperation() override {
    if (failed(inferShapes(getOperation())))
      return signalPassFailure();
    if (!reportUnknown)
      return;
    for (OpResult result : findUnknownShapes(getOperation()))
      result.getOwner()->emitRemark() << "result #" << result.getResultNumber() << " stays " << result.getType();
  }
};

} // namespace

LogicalResult cameo::inferShapes(func::FuncOp function) {
  if (function.isExternal())
    return success();
  OpBuilder builder(function.getContext());
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    auto onnxOp = dyn_cast<cameo::onnx::OnnxOp>(op);
    if (!onnxOp)
      continue;
    if (failed(inferResults(onnxOp)))
      return failure();
    builder.setInsertionPoint(&op);
    SmallVector<Value> folded;
    if (op.hasTrait<OpTrait::ConstantLike>() || failed(builder.tryFold(&op, folded)))
      continue;
    op.replaceAllUsesWith(folded);
    op.erase();
  }
  eraseUnused(function.getBody().front());
  updateFunctionType(function);
  return success();
}

SmallVector<OpResult> cameo::findUnknownShapes(func::FuncOp function) {
  SmallVector<OpResult> unknown;
  function.walk([&](cameo::onnx::OnnxOp op) {
    llvm::copy_if(op->getResults(), std::back_inserter(unknown),
                  [](OpResult result) { return isUnknown(result.getType()); });
  });
  return unknown;
}
