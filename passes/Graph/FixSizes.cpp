// --fix-sizes: makes a model with fixed sizes from one with symbolic dimensions, without importing the file again.
#include "passes/Graph/FixSizes.h"
#include "passes/Graph/Passes.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Onnx/OnnxInterfaces.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_FIXSIZESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

using Sizes = llvm::StringMap<int64_t>;

void fixType(Value value, const Sizes &sizes) {
  std::optional<onnx::DimList> dims = onnx::getDims(value);
  if (!dims)
    return;
  llvm::transform(*dims, dims->begin(), [&](const Dim &dim) { return fixSizes(dim, sizes); });
  value.setType(onnx::makeTensorType(*dims, cast<RankedTensorType>(value.getType()).getElementType()));
}

/// Infers the shapes of the results again: values computed from the sizes are constants now, from which further sizes
/// follow.
LogicalResult fixOperation(Operation *op, OpBuilder &builder, const Sizes &sizes) {
  for (Value result : op->getResults())
    fixType(result, sizes);
  auto onnxOp = dyn_cast<onnx::OnnxOp>(op);
  if (!onnxOp)
    return success();
  if (failed(onnxOp.inferShapes()))
    return failure();
  builder.setInsertionPoint(op);
  SmallVector<Value> folded;
  if (op->hasTrait<OpTrait::ConstantLike>() || failed(builder.tryFold(op, folded)))
    return success();
  op->replaceAllUsesWith(folded);
  op->erase();
  return success();
}

LogicalResult fixFunction(func::FuncOp function, const Sizes &sizes) {
  if (function.isExternal())
    return success();
  Block &body = function.getBody().front();
  for (BlockArgument argument : body.getArguments())
    fixType(argument, sizes);
  OpBuilder builder(function.getContext());
  for (Operation &op : llvm::make_early_inc_range(body))
    if (failed(fixOperation(&op, builder, sizes)))
      return failure();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  function.setFunctionType(
      FunctionType::get(function.getContext(), body.getArgumentTypes(), body.getTerminator()->getOperandTypes()));
  return success();
}

/// Returns the symbolic dimensions of the inputs.
llvm::SetVector<StringAttr> collectNames(func::FuncOp main) {
  llvm::SetVector<StringAttr> names;
  for (Type type : main.getArgumentTypes())
    for (const Dim &dim : onnx::getDims(type).value_or(onnx::DimList()))
      collectNames(dim, names);
  return names;
}

struct FixSizes : impl::FixSizesPassBase<FixSizes> {
  using FixSizesPassBase::FixSizesPassBase;

  FailureOr<Sizes> readSizes() {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    llvm::SetVector<StringAttr> names = main ? collectNames(main) : llvm::SetVector<StringAttr>();
    Sizes result;
    for (StringRef text : sizes) {
      auto [name, number] = text.rsplit('=');
      int64_t size = -1;
      if (number.getAsInteger(10, size) || size < 0)
        return getOperation().emitError() << "fix-sizes: expected NAME=SIZE, got '" << text << "'";
      if (!names.contains(StringAttr::get(&getContext(), name)))
        return getOperation().emitError()
               << "fix-sizes: expected the name of a dimension of an input of @main, got '" << name << "'";
      result[name] = size;
    }
    return result;
  }

  void runOnOperation() override {
    FailureOr<Sizes> sizes = readSizes();
    if (failed(sizes) || failed(fixSizes(getOperation(), *sizes)))
      signalPassFailure();
  }
};

} // namespace

LogicalResult fixSizes(ModuleOp module, const Sizes &sizes) {
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(fixFunction(function, sizes)))
      return failure();
  return success();
}

} // namespace cameo
