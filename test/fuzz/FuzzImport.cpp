// A libFuzzer target: whatever the bytes are, importing and checking them ends with a module or with one error.

#include "frontend/Import/CheckModel.h"
#include "frontend/Import/ImportModel.h"
#include "test/fuzz/ModelMutator.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <google/protobuf/stubs/logging.h>

#include <cstdlib>

using namespace cameo;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

[[noreturn]] void fail(const llvm::Twine &message) {
  llvm::errs() << "fuzz-import: " << message << "\n";
  std::abort();
}

/// A file in a folder of its own, so that external data of a model finds nothing else. Removed at exit.
class TemporaryModel {
public:
  TemporaryModel() {
    if (llvm::sys::fs::createUniqueDirectory("cameo-fuzz", folder))
      fail("cannot make a temporary folder");
    path = folder;
    llvm::sys::path::append(path, "model.onnx");
  }
  ~TemporaryModel() { llvm::sys::fs::remove_directories(folder); }

  llvm::StringRef write(llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream stream(path, code);
    if (code)
      fail("cannot write " + path.str() + ": " + code.message());
    stream << bytes;
    return path;
  }

private:
  llvm::SmallString<128> folder, path;
};

/// The errors that `import` reports; it returns whether it succeeded.
void expectOneErrorOrNone(llvm::StringRef what, llvm::function_ref<bool(mlir::MLIRContext &)> import) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  unsigned errors = 0;
  context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    return mlir::success();
  });
  bool succeeded = import(context);
  unsigned expected = succeeded ? 0 : 1;
  if (errors != expected)
    fail(what + (succeeded ? " succeeded" : " failed") + " after " + llvm::Twine(errors) + " errors");
}

/// `model` in at most `maxSize` bytes at `data`, or 0.
size_t store(const ::onnx::ModelProto &model, uint8_t *data, size_t maxSize) {
  size_t size = model.ByteSizeLong();
  return size <= maxSize && model.SerializeToArray(data, static_cast<int>(size)) ? size : 0;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static TemporaryModel file;
  llvm::StringRef path = file.write(llvm::StringRef(reinterpret_cast<const char *>(data), size));
  expectOneErrorOrNone("the import", [&](mlir::MLIRContext &context) { return succeeded(importModel(context, path)); });
  expectOneErrorOrNone("the check", [&](mlir::MLIRContext &context) { return succeeded(checkModel(context, path)); });
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  google::protobuf::LogSilencer silencer;
  ::onnx::ModelProto model;
  constexpr unsigned kBytesEvery = 8;
  if (seed % kBytesEvery == 0 || !model.ParseFromArray(data, static_cast<int>(size)))
    return LLVMFuzzerMutate(data, size, maxSize);
  ModelMutator(seed).mutate(model);
  size_t stored = store(model, data, maxSize);
  return stored ? stored : LLVMFuzzerMutate(data, size, maxSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t otherSize,
                                            uint8_t *out, size_t maxOutSize, unsigned seed) {
  google::protobuf::LogSilencer silencer;
  ::onnx::ModelProto model, donor;
  if (!model.ParseFromArray(data, static_cast<int>(size)) || !donor.ParseFromArray(other, static_cast<int>(otherSize)))
    return 0;
  ModelMutator(seed).cross(model, donor);
  return store(model, out, maxOutSize);
}
