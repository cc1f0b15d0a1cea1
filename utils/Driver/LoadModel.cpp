#include "utils/Driver/CompileModel.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/WithColor.h"

using namespace cameo;

static std::unique_ptr<ModelLibrary> open(llvm::StringRef path) {
  llvm::Expected<std::unique_ptr<ModelLibrary>> library = ModelLibrary::open(path);
  if (library)
    return std::move(*library);
  llvm::WithColor::error(llvm::errs(), "cameo") << llvm::toString(library.takeError()) << '\n';
  return nullptr;
}

std::unique_ptr<ModelLibrary> cameo::loadModel(const CompileOptions &options) {
  if (isElfFile(options.model))
    return open(options.model);
  llvm::SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("cameo", "so", path)) {
    llvm::WithColor::error(llvm::errs(), "cameo") << "cannot make a temporary file: " << error.message() << '\n';
    return nullptr;
  }
  // The file may go as soon as it is loaded.
  llvm::FileRemover remover(path);
  CompileOptions library = options;
  library.emit = EmitKind::Lib;
  library.output = std::string(path);
  if (llvm::failed(compileModel(library)))
    return nullptr;
  return open(path);
}
