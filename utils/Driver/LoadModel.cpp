#include "utils/Driver/CompileModel.h"

#include "utils/Driver/Diagnostics/DiagnosticSink.h"

using namespace cameo;

llvm::Expected<UnnamedFile>
cameo::compileWithLargeWeights(const CompileOptions &options,
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
  CompileOptions library = options;
  library.emit = EmitKind::Lib;
  UnnamedFile largeWeights;
  bool isCompiled = false;
  llvm::Expected<UnnamedFile> file = UnnamedFile::create([&](llvm::StringRef path) -> llvm::Error {
    library.output = path.str();
    llvm::Expected<UnnamedFile> weights = compileWithLargeWeights(library, [&](const CompileOptions &each) {
      isCompiled = llvm::succeeded(compileModel(each));
      return llvm::Error::success();
    });
    if (!weights)
      return weights.takeError();
    largeWeights = std::move(*weights);
    return llvm::Error::success();
  });
  if (!file) {
    report(Severity::Error, llvm::toString(file.takeError()));
    return nullptr;
  }
  std::unique_ptr<ModelLibrary> opened = isCompiled ? open(file->path()) : nullptr;
  if (opened)
    opened->keep(std::move(*file), std::move(largeWeights));
  return opened;
}
