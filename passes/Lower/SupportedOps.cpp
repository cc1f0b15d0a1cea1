// Runs the lowering itself into a block that is discarded, so that the answer always agrees with the compiler.
#include "passes/Lower/SupportedOps.h"

#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cameo::lower;

namespace cameo {

static bool isKnown(Type type) {
  std::optional<onnx::DimList> dims = onnx::getDims(type);
  return isa<NoneType>(type) || (dims && onnx::areKnown(*dims));
}

std::optional<std::string> whyNotLowered(Operation *op) {
  // Not part of tasks: memory planning makes them views, or lets branches write to one buffer.
  if (isa<onnx::PrefixOp, onnx::ChooseOp>(op))
    return std::nullopt;
  // Decomposed before (passes/Graph) into operations that take all numbers and strings.
  auto split = dyn_cast<onnx::StringSplitOp>(op);
  bool hasBound = !split || split.getMaxsplit() || split.getMaxParts();
  if (isa<onnx::DataSizedOp>(op) && hasBound) {
    bool isFine = llvm::all_of(op->getOperandTypes(), [](Type type) {
      return isa<NoneType, onnx::StringType>(getElementTypeOrSelf(type)) || getElementTypeOrSelf(type).isIntOrFloat();
    });
    return isFine ? std::nullopt : std::optional<std::string>("its elements are neither numbers nor strings");
  }
  const LoweringTable &table = LoweringTable::of(op);
  if (!table.contains(op))
    return "the operator has no lowering";
  if (!llvm::all_of(op->getOperandTypes(), isKnown) || !llvm::all_of(op->getResultTypes(), isKnown))
    return std::nullopt;
  op->getContext()
      ->loadDialect<arith::ArithDialect, linalg::LinalgDialect, math::MathDialect, scf::SCFDialect, task::TaskDialect,
                    tensor::TensorDialect>();
  Block block;
  SmallVector<Value> operands;
  for (Type type : op->getOperandTypes())
    operands.push_back(isa<NoneType>(type) ? Value() : block.addArgument(toSignless(type), op->getLoc()));
  std::string reason;
  ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &diagnostic) {
    reason = diagnostic.str();
    return success();
  });
  GenericBuilder builder(op->getLoc(), op->getContext());
  builder.setInsertionPointToStart(&block);
  bool isLowered = succeeded(table.lower(op, operands, builder));
  while (!block.empty())
    block.back().erase();
  return isLowered ? std::nullopt : std::optional(reason);
}

} // namespace cameo
