#include "utils/Driver/Link/EmbeddedFiles.h"

// Defined in EmbeddedFiles.S.
#define EMBEDDED(name)                                                                                                 \
  extern "C" const char cameo_embedded_##name##_begin[], cameo_embedded_##name##_end[];                                \
  static llvm::StringRef name##Bytes() {                                                                               \
    return {cameo_embedded_##name##_begin,                                                                             \
            static_cast<size_t>(cameo_embedded_##name##_end - cameo_embedded_##name##_begin)};                         \
  }

EMBEDDED(runtime_archive)
EMBEDDED(abi_header)
EMBEDDED(runtime_header)
EMBEDDED(gpu_header)
EMBEDDED(model_program)
EMBEDDED(cost_model_x86)
EMBEDDED(report_style)
EMBEDDED(model_page_style)
EMBEDDED(model_graph_script)
EMBEDDED(model_charts_script)
EMBEDDED(model_page_script)

llvm::StringRef cameo::embedded::runtimeArchive() { return runtime_archiveBytes(); }
llvm::StringRef cameo::embedded::abiHeader() { return abi_headerBytes(); }
llvm::StringRef cameo::embedded::runtimeHeader() { return runtime_headerBytes(); }
llvm::StringRef cameo::embedded::gpuHeader() { return gpu_headerBytes(); }
llvm::StringRef cameo::embedded::modelProgram() { return model_programBytes(); }
llvm::StringRef cameo::embedded::costModelX86() { return cost_model_x86Bytes(); }
llvm::StringRef cameo::embedded::reportStyle() { return report_styleBytes(); }
llvm::StringRef cameo::embedded::modelPageStyle() { return model_page_styleBytes(); }
llvm::StringRef cameo::embedded::modelGraphScript() { return model_graph_scriptBytes(); }
llvm::StringRef cameo::embedded::modelChartsScript() { return model_charts_scriptBytes(); }
llvm::StringRef cameo::embedded::modelPageScript() { return model_page_scriptBytes(); }
