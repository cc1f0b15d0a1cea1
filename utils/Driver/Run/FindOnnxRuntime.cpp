// Searches for ONNX Runtime's shared library; see findOnnxRuntime.
#include "utils/Driver/Run/OnnxRuntime.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace cameo;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Returns Node's name for the architecture of this machine.
static const char *nodeArchitecture() {
#if defined(__aarch64__)
  return "arm64";
#else
  return "x64";
#endif
}

static bool isLibraryName(StringRef name) {
  return name == "libonnxruntime.so" || name.starts_with("libonnxruntime.so.");
}

/// Returns the path of the library in a node_modules folder; empty if there is none. The folder below bin is named
/// after the version of Node's interface, which changes between releases of the package.
static std::string findInNodeModules(StringRef nodeModules) {
  llvm::SmallString<256> binaries(nodeModules);
  path::append(binaries, "onnxruntime-node", "bin");
  std::error_code error;
  for (fs::directory_iterator version(binaries, error), end; !error && version != end; version.increment(error)) {
    llvm::SmallString<256> folder(version->path());
    path::append(folder, "linux", nodeArchitecture());
    std::error_code folderError;
    for (fs::directory_iterator file(folder, folderError); !folderError && file != end; file.increment(folderError))
      if (isLibraryName(path::filename(file->path())))
        return file->path();
  }
  return {};
}

static std::string findAbove(StringRef folder) {
  for (; !folder.empty(); folder = path::parent_path(folder)) {
    llvm::SmallString<256> nodeModules(folder);
    path::append(nodeModules, "node_modules");
    if (std::string found = findInNodeModules(nodeModules); !found.empty())
      return found;
  }
  return {};
}

/// Searches BUILD/peers, if this program is in the build tree BUILD/PRESET/bin.
static std::string findBesideBuild() {
  static int anchor;
  std::string program = fs::getMainExecutable("cameo", &anchor);
  llvm::SmallString<256> nodeModules(path::parent_path(path::parent_path(path::parent_path(program))));
  path::append(nodeModules, "peers", "node_modules");
  return findInNodeModules(nodeModules);
}

llvm::Expected<std::string> cameo::findOnnxRuntime() {
  if (std::optional<std::string> given = llvm::sys::Process::GetEnv("ORT_LIBRARY"); given && !given->empty())
    return *given;
  llvm::SmallString<256> current;
  if (!fs::current_path(current))
    if (std::string found = findAbove(current); !found.empty())
      return found;
  if (std::string found = findBesideBuild(); !found.empty())
    return found;
  return llvm::createStringError("ONNX Runtime was not found: set ORT_LIBRARY to its libonnxruntime.so, or run "
                                 "'npm install --ignore-scripts onnxruntime-node' in this directory");
}
