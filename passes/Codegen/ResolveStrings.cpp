// Lowers the string operations of kernels before the kernels are converted.
#include "passes/Codegen/ResolveStrings.h"

#include "dialects/Task/TaskStringOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace cameo {
namespace {

class StringResolver {
public:
  explicit StringResolver(ModuleOp module) : builder(module.getContext()), start(module.getBody()) {}

  void resolve(task::StringOp op) {
    LLVM::GlobalOp &literal = literals[op.getValue()];
    if (!literal)
      literal = createLiteral(op);
    builder.setInsertionPoint(op);
    Value address = LLVM::AddressOfOp::create(builder, op.getLoc(), literal);
    op.replaceAllUsesWith(LLVM::PtrToIntOp::create(builder, op.getLoc(), builder.getI64Type(), address).getResult());
    op.erase();
  }

  void resolve(task::InvokeOp op) {
    func::FuncOp &function = functions[op.getFunction()];
    if (!function) {
      builder.setInsertionPointToStart(start);
      auto type = builder.getFunctionType(op.getInputs().getTypes(), op.getResult().getType());
      function = func::FuncOp::create(builder, op.getLoc(), op.getFunction(), type);
      function.setPrivate();
    }
    builder.setInsertionPoint(op);
    auto call = func::CallOp::create(builder, op.getLoc(), function, op.getInputs());
    op.replaceAllUsesWith(call.getResult(0));
    op.erase();
  }

private:
  LLVM::GlobalOp createLiteral(task::StringOp op) {
    std::string bytes = op.getValue().str();
    bytes.push_back(0);
    builder.setInsertionPointToStart(start);
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    return LLVM::GlobalOp::create(builder, op.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Private,
                                  "string" + std::to_string(literals.size() - 1), builder.getStringAttr(bytes));
  }

  OpBuilder builder;
  Block *start;
  llvm::StringMap<LLVM::GlobalOp> literals;
  llvm::StringMap<func::FuncOp> functions;
};

} // namespace

void resolveStrings(ModuleOp module) {
  StringResolver resolver(module);
  module.walk([&](task::StringOp op) { resolver.resolve(op); });
  module.walk([&](task::InvokeOp op) { resolver.resolve(op); });
}

} // namespace cameo
