// The dialects and passes as a shared library that the distribution's mlir-opt loads.
#include "utils/Driver/Register.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Cameo", CAMEO_VERSION,
          [](mlir::DialectRegistry *registry) { cameo::registerDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Cameo", CAMEO_VERSION, [] { cameo::registerPasses(); }};
}
