#include "autotune/Space/SketchPlugin.h"

#include "llvm/Support/DynamicLibrary.h"

namespace cameo::autotune {

llvm::Error loadSketchPlugin(llvm::StringRef path) {
  std::string name = path.str(), wrong;
  llvm::sys::DynamicLibrary library = llvm::sys::DynamicLibrary::getPermanentLibrary(name.c_str(), &wrong);
  if (!library.isValid())
    return llvm::createStringError("%s: %s", name.c_str(), wrong.c_str());
  auto version = reinterpret_cast<unsigned (*)()>(library.getAddressOfSymbol(sketchPluginVersionName));
  auto registerAll = reinterpret_cast<void (*)(RegisterSketchRule)>(library.getAddressOfSymbol(registerSketchRulesName));
  if (!version || !registerAll)
    return llvm::createStringError("%s: expected a library that exports %s and %s", name.c_str(), sketchPluginVersionName,
                                   registerSketchRulesName);
  if (unsigned got = version(); got != sketchPluginVersion)
    return llvm::createStringError("%s: expected a plugin of version %u, got %u", name.c_str(), sketchPluginVersion, got);
  registerAll(registerSketchRule);
  return llvm::Error::success();
}

} // namespace cameo::autotune
