// --emit-object: makes code generation available in cameo-opt.
#include "passes/Codegen/GenerateCode.h"
#include "passes/Codegen/Header/EmitHeader.h"
#include "passes/Codegen/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_EMITOBJECTPASS
#include "passes/Codegen/Passes.h.inc"
namespace {

struct EmitObject : impl::EmitObjectPassBase<EmitObject> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    EmitObjectPassBase::getDependentDialects(registry);
    createConvertKernelsPass()->getDependentDialects(registry);
  }

  void runOnOperation() override {
    if (llvm::Error error = emit()) {
      getOperation().emitError() << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  using Writer = llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)>;

  static llvm::Error writeFile(StringRef path, Writer write) {
    std::error_code failure;
    llvm::ToolOutputFile file(path, failure, llvm::sys::fs::OF_None);
    if (failure)
      return llvm::createStringError(failure, path + ": " + failure.message());
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream buffer(bytes);
    if (llvm::Error error = write(buffer))
      return error;
    file.os() << buffer.str();
    file.keep();
    return llvm::Error::success();
  }

  llvm::Error emit() {
    llvm::Expected<TargetInfo> target = resolveTarget(triple, cpu);
    if (!target)
      return target.takeError();
    CodegenOptions options{{*target}, prefix, prefix, !weights.empty()};
    FailureOr<GeneratedCode> code = GeneratedCode::create(getOperation(), options);
    if (failed(code))
      return llvm::createStringError("no code was generated");
    if (llvm::Error error = writeFile(output, [&](llvm::raw_pwrite_stream &os) { return writeForm(*code, os); }))
      return error;
    if (!header.empty())
      if (llvm::Error error = writeFile(header, [&](llvm::raw_pwrite_stream &os) {
            emitHeader(code->getPlan(), options, os);
            return llvm::Error::success();
          }))
        return error;
    if (weights.empty())
      return llvm::Error::success();
    return writeFile(weights, [&](llvm::raw_pwrite_stream &os) {
      code->writeWeightsFile(os);
      return llvm::Error::success();
    });
  }

  llvm::Error writeForm(GeneratedCode &code, llvm::raw_pwrite_stream &os) {
    if (form == "object")
      return code.writeObject(os);
    if (form == "assembly")
      code.writeAssembly(os);
    else if (form == "llvm")
      code.writeLlvm(os);
    else
      return llvm::createStringError("expected a form of object, assembly or llvm, got " + form);
    return llvm::Error::success();
  }
};

} // namespace
} // namespace cameo
