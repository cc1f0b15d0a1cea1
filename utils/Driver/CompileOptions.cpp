#include "utils/Driver/CompileOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace cameo;
using llvm::StringRef;

static constexpr const char *emitNames[] = {"onnx", "graph", "tasks", "linalg", "nests", "loops",
                                            "llvm", "asm",   "obj",   "lib",    "exe"};

StringRef cameo::emitName(EmitKind kind) { return emitNames[static_cast<int>(kind)]; }

std::optional<EmitKind> cameo::parseEmit(StringRef name) {
  auto *found = llvm::find(emitNames, name);
  if (found == std::end(emitNames))
    return std::nullopt;
  return static_cast<EmitKind>(found - emitNames);
}

std::vector<std::string> cameo::allEmitNames() { return {std::begin(emitNames), std::end(emitNames)}; }

/// Whether `prefix` collides with the names of the runtime. Its functions begin with "cameo_" and its macros with
/// "CAMEO_"; macros of a model begin with its prefix in capitals.
static bool isOfRuntime(StringRef prefix) {
  return prefix.equals_insensitive("cameo") || prefix.starts_with_insensitive("cameo_");
}

llvm::Error cameo::checkPrefix(StringRef prefix) {
  bool isIdentifier = !prefix.empty() && !llvm::isDigit(prefix.front()) &&
                      llvm::all_of(prefix, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isIdentifier)
    return llvm::createStringError("expected a C identifier, got '" + prefix + "'");
  if (isOfRuntime(prefix))
    return llvm::createStringError("expected a prefix that no name of the runtime begins with, got '" + prefix + "'");
  return llvm::Error::success();
}

std::string cameo::prefixFromPath(StringRef path) {
  std::string prefix = llvm::sys::path::stem(path).str();
  for (char &character : prefix)
    if (!llvm::isAlnum(character))
      character = '_';
  if (prefix.empty() || llvm::isDigit(prefix.front()) || isOfRuntime(prefix))
    prefix.insert(0, "model_");
  return prefix;
}

GpuCode cameo::gpuCodeOf(StringRef name) {
  return name == "ptx"      ? GpuCode::Ptx
         : name == "binary" ? GpuCode::Binary
         : name == "host"   ? GpuCode::Host
                            : GpuCode::Auto;
}

GpuLaunch cameo::gpuLaunchOf(StringRef name) {
  return name == "persistent" ? GpuLaunch::Persistent : name == "auto" ? GpuLaunch::Auto : GpuLaunch::Dispatch;
}

GpuMath cameo::gpuMathOf(StringRef name) { return llvm::cantFail(findGpuMath(name)); }

std::string cameo::defaultOutput(StringRef model, EmitKind kind) {
  if (isString(kind))
    return "-";
  const char *extension = kind == EmitKind::Obj ? ".o" : kind == EmitKind::Lib ? ".so" : "";
  return (llvm::sys::path::stem(model) + extension).str();
}
