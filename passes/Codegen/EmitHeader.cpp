// Text of the header, and identifiers from ONNX names.
#include "passes/Codegen/EmitHeader.h"

#include "passes/Codegen/WeightsFile.h"
#include "runtime/include/cameo/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace cameo {

/// Words that C11 or C++ takes, and what compilers define in their GNU modes.
static bool isReserved(StringRef name) {
  static const StringSet<> words = {
      "NULL",     "alignas",  "alignof",   "and",       "and_eq",   "asm",          "assert",    "auto",     "bitand",
      "bitor",    "bool",     "break",     "case",      "catch",    "char",         "char8_t",   "char16_t", "char32_t",
      "class",    "compl",    "concept",   "const",     "const_cast", "consteval",  "constexpr", "constinit", "continue",
      "co_await", "co_return", "co_yield", "decltype",  "default",  "delete",       "do",        "double",   "dynamic_cast",
      "else",     "enum",     "errno",     "explicit",  "export",   "extern",       "false",     "float",    "for",
      "friend",   "goto",     "i386",      "if",        "inline",   "int",          "linux",     "long",     "mutable",
      "namespace", "new",     "noexcept",  "not",       "not_eq",   "nullptr",      "operator",  "or",       "or_eq",
      "private",  "protected", "public",   "register",  "reinterpret_cast", "requires", "restrict", "return", "short",
      "signed",   "sizeof",   "static",    "static_assert", "static_cast", "stderr", "stdin",    "stdout",   "struct",
      "switch",   "template", "this",      "thread_local", "throw", "true",         "try",       "typedef",  "typeid",
      "typename", "typeof",   "union",     "unix",      "unsigned", "using",        "virtual",   "void",     "volatile",
      "wchar_t",  "while",    "xor",       "xor_eq"};
  return words.contains(name);
}

std::vector<std::string> toIdentifiers(const std::vector<PlannedTensor> &tensors) {
  std::vector<std::string> names;
  // The macros are in capitals: names that differ in their case alone would share one.
  StringSet<> taken;
  for (const PlannedTensor &tensor : tensors) {
    std::string name;
    for (char c : tensor.name)
      name += isAlnum(c) || c == '_' ? c : '_';
    // Leading underscores and digits are reserved or invalid.
    if (name.empty() || isDigit(name[0]) || name[0] == '_')
      name = "t" + name;
    if (isReserved(name))
      name += "_";
    std::string unique = name;
    for (unsigned copy = 2; !taken.insert(StringRef(unique).lower()).second; ++copy)
      unique = name + "_" + std::to_string(copy);
    names.push_back(unique);
  }
  return names;
}

/// Text that is safe inside of a C comment.
static std::string inComment(StringRef text) {
  std::string safe;
  for (char c : text)
    safe += isPrint(c) && c != '*' && c != '\\' ? c : '?';
  return safe;
}

static std::string shapeText(const PlannedTensor &tensor) {
  return tensor.shape.empty() ? "scalar" : join(map_range(tensor.shape, [](int64_t d) { return std::to_string(d); }), "x");
}

static void emitStruct(raw_ostream &os, StringRef prefix, StringRef kind, const std::vector<PlannedTensor> &tensors,
                       bool readOnly) {
  os << "/* Dense, row-major; the memory is the caller's. */\ntypedef struct " << prefix << "_" << kind << " {\n";
  std::vector<std::string> names = toIdentifiers(tensors);
  for (auto [tensor, name] : zip_equal(tensors, names))
    os << "  " << (readOnly ? "const " : "") << tensor.cType << " *" << name << "; /* " << inComment(tensor.name)
       << ": " << shapeText(tensor) << ", " << tensor.bytes << " bytes */\n";
  if (tensors.empty())
    os << "  const void *none;\n";
  os << "} " << prefix << "_" << kind << ";\n\n";
}

static void emitSizes(raw_ostream &os, StringRef prefix, StringRef kind, const std::vector<PlannedTensor> &tensors) {
  std::vector<std::string> names = toIdentifiers(tensors);
  for (auto [tensor, name] : zip_equal(tensors, names)) {
    int64_t elements = 1;
    for (int64_t size : tensor.shape)
      elements *= size;
    std::string stem = (prefix + "_" + kind + "_" + name).str();
    os << "#define " << StringRef(stem).upper() << "_ELEMENTS " << elements << "\n#define " << StringRef(stem).upper()
       << "_BYTES " << tensor.bytes << "\n";
  }
}

static void emitRunWrapper(raw_ostream &os, StringRef prefix, const ModelPlan &plan) {
  auto pointers = [&](StringRef argument, const std::vector<PlannedTensor> &tensors, StringRef type) {
    std::vector<std::string> names = toIdentifiers(tensors);
    std::string list = join(map_range(names, [&](const std::string &name) {
                              return ("(" + type + ")" + argument + "->" + name).str();
                            }),
                            ", ");
    return list.empty() ? std::string("0") : list;
  };
  os << "/* Runs the model once. `workspace`: " << prefix.upper() << "_WORKSPACE_BYTES bytes at a multiple of "
     << prefix.upper() << "_ALIGNMENT; its\n * contents matter neither before nor after. `context`: threads and profile, may be null. "
     << "Allocates nothing; may be called\n * from several threads at once, each with its own workspace. */\n"
     << "static inline cameo_status " << prefix << "_run(const " << prefix << "_inputs *inputs, const " << prefix
     << "_outputs *outputs,\n    void *workspace, const cameo_context *context) {\n"
     << "  (void)inputs, (void)outputs; /* a model may have none */\n"
     << "  const void *in[] = {" << pointers("inputs", plan.inputs, "const void *") << "};\n"
     << "  void *out[] = {" << pointers("outputs", plan.outputs, "void *") << "};\n"
     << "  return " << prefix << "_run_buffers(in, out, 0, workspace, context);\n}\n\n";
}

/// A whole program: what a reader wants to see first, and the tests compile.
static void emitExample(raw_ostream &os, StringRef prefix, const ModelPlan &plan) {
  std::string upper = prefix.upper();
  auto allocate = [&](StringRef kind, const std::vector<PlannedTensor> &tensors) {
    os << " *     " << prefix << "_" << kind << "s " << kind << "s = {0};\n";
    for (const std::string &name : toIdentifiers(tensors))
      os << " *     " << kind << "s." << name << " = calloc(" << upper << "_" << kind.upper() << "_"
         << StringRef(name).upper() << "_BYTES, 1);\n";
  };
  os << " *   #include \"" << prefix << ".h\"\n *   #include <stdlib.h>\n *\n *   int main(void) {\n";
  allocate("input", plan.inputs);
  allocate("output", plan.outputs);
  os << " *     void *workspace = aligned_alloc(" << upper << "_ALIGNMENT, " << upper << "_WORKSPACE_BYTES);\n"
     << " *     return " << prefix << "_run(&inputs, &outputs, workspace, 0);\n *   }\n";
}

static void emitDeclarations(raw_ostream &os, StringRef prefix) {
  os << "/* For generic tools, see cameo/abi.h. */\nextern const cameo_model_description " << prefix
     << "_description;\n\n/* Bytes of workspace. */\nstatic inline uint64_t " << prefix
     << "_workspace_size(void) { return " << prefix.upper() << "_WORKSPACE_BYTES; }\n\n"
     << "/* The untyped form of " << prefix
     << "_run: one pointer per input and output, in the order of the structs; `symbols` is not read. */\ncameo_status "
     << prefix << "_run_buffers(const void *const *inputs, void *const *outputs, const int64_t *symbols,\n"
     << "    void *workspace, const cameo_context *context);\n\n";
}

void emitHeader(const ModelPlan &plan, const CodegenOptions &options, raw_ostream &os) {
  StringRef prefix = options.prefix;
  std::string upper = prefix.upper();
  os << "/* Generated by cameo from " << inComment(options.modelName) << " for " << options.target.triple << ", "
     << options.target.cpu << ". A program that runs the model once:\n *\n";
  emitExample(os, prefix, plan);
  os << " *\n * Link it with the object and libcameo_rt.a. */\n#ifndef CAMEO_MODEL_" << upper
     << "_H\n#define CAMEO_MODEL_" << upper
     << "_H\n\n#include <cameo/abi.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  // aligned_alloc wants a multiple of the alignment, and some allocators refuse zero.
  int64_t workspace = std::max<int64_t>(alignTo(plan.arenaBytes, CAMEO_ALIGNMENT), CAMEO_ALIGNMENT);
  os << "#define " << upper << "_ALIGNMENT CAMEO_ALIGNMENT\n#define " << upper << "_WORKSPACE_BYTES " << workspace
     << "\n#define " << upper << "_WEIGHTS_BYTES "
     << (options.externalWeights ? getExternalBytes(plan.weightBytes) : plan.weightBytes) << "\n";
  emitSizes(os, prefix, "input", plan.inputs);
  emitSizes(os, prefix, "output", plan.outputs);
  os << "\n";
  emitStruct(os, prefix, "inputs", plan.inputs, /*readOnly=*/true);
  emitStruct(os, prefix, "outputs", plan.outputs, /*readOnly=*/false);
  emitDeclarations(os, prefix);
  emitRunWrapper(os, prefix, plan);
  os << "#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

} // namespace cameo
