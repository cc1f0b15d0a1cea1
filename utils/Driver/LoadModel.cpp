#include "utils/Driver/CompileModel.h"

#include "utils/Driver/DiagnosticSink.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

using namespace cameo;

llvm::Expected<UnnamedFile> cameo::compileWithLargeWeights(const CompileOptions &options,
                                                           llvm::function_ref<llvm::Error(const CompileOptions &)> compile) {
  if (options.weights.empty())
    return UnnamedFile::create([&](llvm::StringRef path) {
      CompileOptions library = options;
      library.weights = path.str();
      library.weightsIfLarge = true;
      return compile(library);
    });
  if (llvm::Error error = compile(options))
    return std::move(error);
  return UnnamedFile();
}

static std::unique_ptr<ModelLibrary> open(llvm::StringRef path) {
  llvm::Expected<std::unique_ptr<ModelLibrary>> library = ModelLibrary::open(path);
  if (library)
    return std::move(*library);
  report(Severity::Error, llvm::toString(library.takeError()));
  return nullptr;
}

std::unique_ptr<ModelLibrary> cameo::loadModel(const CompileOptions &options) {
  if (isElfFile(options.model))
    return open(options.model);
  llvm::SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("cameo", "so", path)) {
    report(Severity::Error, "cannot make a temporary file: " + error.message());
    return nullptr;
  }
  // The file may go as soon as it is loaded.
  llvm::FileRemover remover(path);
  CompileOptions library = options;
  library.emit = EmitKind::Lib;
  library.output = std::string(path);
  bool isCompiled = false;
  llvm::Expected<UnnamedFile> weights = compileWithLargeWeights(library, [&](const CompileOptions &each) {
    isCompiled = llvm::succeeded(compileModel(each));
    return llvm::Error::success();
  });
  if (!weights) {
    report(Severity::Error, llvm::toString(weights.takeError()));
    return nullptr;
  }
  std::unique_ptr<ModelLibrary> opened = isCompiled ? open(path) : nullptr;
  if (opened && !weights->isEmpty())
    opened->keepWeights(std::move(*weights));
  return opened;
}
