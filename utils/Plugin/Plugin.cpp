#include "utils/Plugin/Plugin.h"

#include "passes/Lower/DialectLowerings.h"

#include "llvm/Support/DynamicLibrary.h"

#include <mutex>

using namespace cameo;
using llvm::StringRef;

static constexpr char versionName[] = "cameoPluginVersion", registerName[] = "cameoRegisterPlugin";

namespace {

/// Gives a dialect its lowerings when a context loads it.
class AttachLowerings : public mlir::DialectExtensionBase {
public:
  AttachLowerings(StringRef dialect, const lower::LoweringTable &table) : DialectExtensionBase(dialect), table(table) {}

  void apply(mlir::MLIRContext *, llvm::MutableArrayRef<mlir::Dialect *> dialects) const override {
    dialects.front()->addInterface(std::make_unique<lower::DialectLowerings>(dialects.front(), table));
  }
  std::unique_ptr<DialectExtensionBase> clone() const override { return std::make_unique<AttachLowerings>(*this); }

private:
  const lower::LoweringTable &table; // lives as long as the plugin: for ever
};

} // namespace

void Plugin::attachLowerings() {
  for (const auto &entry : contents.lowerings)
    contents.dialects.addExtension(mlir::TypeID::getFromOpaquePointer(&entry),
                                   std::make_unique<AttachLowerings>(entry.getKey(), entry.getValue()));
}

llvm::Expected<const Plugin *> Plugin::load(StringRef path) {
  static std::mutex mutex;
  // Never destroyed: at the end of the program, the code of what plugins registered may be gone before.
  static auto &loaded = *new llvm::StringMap<std::unique_ptr<Plugin>>;
  std::lock_guard lock(mutex);
  if (auto it = loaded.find(path); it != loaded.end())
    return it->second.get();
  std::string name = path.str(), wrong;
  llvm::sys::DynamicLibrary library = llvm::sys::DynamicLibrary::getPermanentLibrary(name.c_str(), &wrong);
  if (!library.isValid())
    return llvm::createStringError("plugin " + path + ": " + wrong);
  auto getVersion = reinterpret_cast<const char *(*)()>(library.getAddressOfSymbol(versionName));
  auto registerAll = reinterpret_cast<void (*)(PluginRegistry &)>(library.getAddressOfSymbol(registerName));
  if (!getVersion || !registerAll)
    return llvm::createStringError("plugin " + path + ": expected a library that exports " + versionName + " and " +
                                   registerName);
  if (StringRef version = getVersion(); version != CAMEO_PLUGIN_VERSION)
    return llvm::createStringError("plugin " + path + ": expected a plugin of version '" + CAMEO_PLUGIN_VERSION +
                                   "', got '" + version + "'");
  std::unique_ptr<Plugin> plugin(new Plugin(name));
  registerAll(plugin->contents);
  plugin->attachLowerings();
  return loaded.try_emplace(path, std::move(plugin)).first->second.get();
}
