#include "passes/Codegen/Gpu/EmitGpuHeader.h"

#include "passes/Codegen/Header/EmitHeader.h"
#include "passes/Codegen/Header/SpellInC.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cameo {

void emitGpuExample(raw_ostream &os, StringRef prefix, const ModelPlan &plan) {
  os << " *   #include \"" << prefix
     << ".h\"\n *   #include <stdio.h>\n *   #include <stdlib.h>\n *\n *   int main(void) {\n";
  bool hasDims = !plan.symbols.empty();
  emitExampleTensors(os, prefix, plan);
  os << " *     cameo_gpu *gpu;\n *     cameo_gpu_session *session = 0;\n *     cameo_status status = cameo_gpu_load(&"
     << prefix << "_gpu, 0, 0, &gpu);\n *     if (status == CAMEO_OK)\n *       status = "
     << (hasDims ? prefix.str() + "_session_create(gpu, &dims, &session)"
                 : "cameo_gpu_session_create(gpu, 0, &session)")
     << ";\n *     if (status == CAMEO_OK)\n *       status = " << prefix << "_run(session, &inputs, &outputs"
     << (hasDims ? ", &dims" : "")
     << ");\n *     if (status != CAMEO_OK)\n *       fprintf(stderr, \"%s\\n\", cameo_gpu_error());\n"
     << " *     cameo_gpu_session_destroy(session);\n *     cameo_gpu_unload(gpu);\n *     return status;\n *   }\n";
}

void emitGpuFunctions(raw_ostream &os, StringRef prefix, const ModelPlan &plan) {
  bool hasDims = !plan.symbols.empty(), hasStrings = any_of(plan.inputs, isString) || any_of(plan.outputs, isString);
  std::string dims = hasDims ? ", const " + prefix.str() + "_dims *dims" : "",
              symbols = hasDims ? ("  " + symbolsText() + "\n").str() : "";
  auto emit = [&](StringRef name, StringRef further, StringRef passed, StringRef comment) {
    os << comment << "static inline cameo_status " << prefix << "_" << name << "(cameo_gpu_session *session, const "
       << prefix << "_inputs *inputs, const " << prefix << "_outputs *outputs" << dims << further << ") {\n";
    emitPointerArrays(os, plan);
    os << "  return cameo_gpu_" << name << "(session, in, out, " << (hasDims ? "symbols" : "0") << passed
       << ");\n}\n\n";
  };
  os << "/* Code, weights and steps of the model, for cameo_gpu_load. */\nextern const cameo_gpu_model " << prefix
     << "_gpu;\n\n"
     << "/* Names, shapes and functions of the model for generic tools, see cameo/abi.h. */\nextern const "
        "cameo_model_description "
     << prefix << "_description;\n\n";
  if (hasDims) {
    emitSizeFunctions(os, prefix, plan);
    os << "/* Creates a session with the device memory for runs of `dims`, and of all sizes that need no more "
          "workspace. Create it for the largest sizes. */\nstatic inline cameo_status "
       << prefix << "_session_create(cameo_gpu *gpu, const " << prefix
       << "_dims *dims, cameo_gpu_session **session) {\n  if (!dims)\n    return CAMEO_INVALID_ARGUMENT;\n"
       << symbols << "  return cameo_gpu_session_create(gpu, symbols, session);\n}\n\n";
  }
  emit("run", "", "",
       "/* Runs the model once on tensors in host memory, and waits for the outputs. A session is not thread-safe. "
       "*/\n");
  emit("enqueue", ", void *stream", ", stream",
       "/* Enqueues a run on tensors in device memory into `stream`, a CUstream or cudaStream_t, and returns. "
       "Allocates nothing, and waits only for computed sizes. " +
           std::string(hasStrings ? "Tensors of strings hold addresses in host memory; a run may wait for strings, and "
                                    "allocate host memory for them. */\n"
                                  : "*/\n"));
}

} // namespace cameo
