#include "passes/Codegen/Gpu/EmitGpuHeader.h"

#include "passes/Codegen/Header/EmitHeader.h"
#include "passes/Codegen/Header/SpellInC.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cameo {

void emitGpuExample(raw_ostream &os, StringRef prefix, const ModelPlan &plan) {
  std::string upper = prefix.upper();
  os << " *   #include \"" << prefix
     << ".h\"\n *   #include <stdio.h>\n *   #include <stdlib.h>\n *\n *   int main(void) {\n";
  bool hasDims = !plan.symbols.empty();
  if (hasDims)
    os << " *     " << prefix << "_dims dims = {"
       << join(map_range(toIdentifiers(plan.symbols), [](const std::string &name) { return "." + name + " = 2"; }),
               ", ")
       << "};\n";
  for (auto [kind, tensors] :
       {std::pair<StringRef, const std::vector<PlannedTensor> &>("input", plan.inputs), {"output", plan.outputs}}) {
    os << " *     " << prefix << "_" << kind << "s " << kind << "s = {0};\n";
    std::vector<std::string> names = memberNames(tensors);
    for (auto [tensor, name] : zip_equal(tensors, names)) {
      std::string bytes = tensor.bytes.isStatic()
                              ? upper + "_" + kind.upper() + "_" + StringRef(name).upper() + "_BYTES"
                              : (prefix + "_" + kind + "_" + name + "_bytes(&dims)").str();
      if (kind == "input" && isString(tensor)) {
        emitStringsExample(os, name, bytes);
        continue;
      }
      os << " *     " << kind << "s." << name << " = calloc(" << bytes << ", 1);\n";
    }
  }
  if (plan.makesStrings)
    emitTextAreaExample(os, plan);
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
  auto pointers = [&](StringRef argument, const std::vector<PlannedTensor> &tensors, StringRef type) {
    std::vector<std::string> names = memberNames(tensors);
    std::string list = join(
        map_range(names, [&](const std::string &name) { return ("(" + type + ")" + argument + "->" + name).str(); }),
        ", ");
    if (argument == "outputs")
      for (const FurtherMember &member : furtherMembers(plan))
        list += (list.empty() ? "outputs->" : ", outputs->") + member.name;
    return list.empty() ? std::string("0") : list;
  };
  bool hasDims = !plan.symbols.empty(), hasStrings = any_of(plan.inputs, isString) || any_of(plan.outputs, isString);
  std::string dims = hasDims ? ", const " + prefix.str() + "_dims *dims" : "",
              symbols = hasDims ? ("  " + symbolsText() + "\n").str() : "";
  auto emit = [&](StringRef name, StringRef further, StringRef passed, StringRef comment) {
    SmallVector<StringRef> needed;
    if (!plan.inputs.empty())
      needed.push_back("!inputs");
    if (!plan.outputs.empty() || !furtherMembers(plan).empty())
      needed.push_back("!outputs");
    if (hasDims)
      needed.push_back("!dims");
    os << comment << "static inline cameo_status " << prefix << "_" << name << "(cameo_gpu_session *session, const "
       << prefix << "_inputs *inputs, const " << prefix << "_outputs *outputs" << dims << further
       << ") {\n  (void)inputs, (void)outputs; /* unused if the model has none */\n"
       << (needed.empty() ? "" : "  if (" + join(needed, " || ") + ")\n    return CAMEO_INVALID_ARGUMENT;\n")
       << "  const void *in[] = {" << pointers("inputs", plan.inputs, "const void *") << "};\n  void *out[] = {"
       << pointers("outputs", plan.outputs, "void *") << "};\n"
       << symbols << "  return cameo_gpu_" << name << "(session, in, out, " << (hasDims ? "symbols" : "0") << passed
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
