// Writes the text of the C header.
#include "passes/Codegen/Header/EmitHeader.h"

#include "passes/Codegen/Gpu/EmitGpuHeader.h"
#include "passes/Codegen/Header/EmitExternHeader.h"
#include "passes/Codegen/Header/SpellInC.h"
#include "passes/Codegen/Weights/WeightsFile.h"
#include "passes/Target/CpuList.h"
#include "runtime/include/cameo/abi.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cameo {

std::vector<std::string> memberNames(const std::vector<PlannedTensor> &tensors) {
  return toIdentifiers(map_to_vector(tensors, [](const PlannedTensor &tensor) { return tensor.name; }));
}

std::vector<FurtherMember> furtherMembers(const ModelPlan &plan) {
  std::vector<std::string> originals;
  for (const PlannedTensor &tensor : plan.outputs)
    originals.push_back(tensor.name);
  std::vector<FurtherMember> members;
  for (const PlannedTensor &tensor : plan.outputs) {
    if (tensor.dims.empty())
      continue;
    originals.push_back(tensor.name + "_shape");
    members.push_back({"", "int64_t *",
                       "receives the " + std::to_string(tensor.shape.size()) + " dimensions of " +
                           inComment(tensor.name) + " after the run; may be null"});
  }
  if (plan.makesStrings) {
    originals.push_back("text_area");
    members.push_back({"", "cameo_text_area *", "memory for the strings that a run creates, see cameo/abi.h"});
  }
  // The identifiers are chosen together with those of the outputs, because an output may have the same name.
  std::vector<std::string> names = toIdentifiers(originals);
  for (auto [member, name] : zip_equal(members, ArrayRef(names).drop_front(plan.outputs.size())))
    member.name = name;
  return members;
}

bool isString(const PlannedTensor &tensor) { return tensor.elementType == CAMEO_STRING; }

/// Returns a declaration such as "const float *x", a pointer to elements in the caller's memory. Elements of tensors of
/// strings are pointers themselves.
static std::string declare(const PlannedTensor &tensor, StringRef name, bool readOnly) {
  if (isString(tensor))
    return tensor.cType + (readOnly ? "const *" : "*") + name.str();
  return (readOnly ? "const " : "") + tensor.cType + " *" + name.str();
}

static void emitStruct(raw_ostream &os, StringRef prefix, StringRef kind, const std::vector<PlannedTensor> &tensors,
                       ArrayRef<FurtherMember> further, bool readOnly, ArrayRef<std::string> inputs = {}) {
  os << "/* Dense, row-major; the caller owns the memory. Members are named as in the model, with '_' in place of "
        "characters that C does not allow,\n * and after names that C or its headers reserve. */\ntypedef struct "
     << prefix << "_" << kind << " {\n";
  std::vector<std::string> names = memberNames(tensors);
  for (auto [tensor, name] : zip_equal(tensors, names)) {
    os << "  " << declare(tensor, name, readOnly) << "; /* " << inComment(tensor.name) << ": "
       << inComment(tensor.shapeText);
    if (tensor.bytes.isStatic())
      os << (tensor.dims.empty() ? ", " : ", at most ") << tensor.bytes.getSize() << " bytes";
    if (tensor.sharedInput)
      os << "; may be the same memory as inputs->" << inputs[*tensor.sharedInput]
         << ": then a run writes only the new rows";
    os << " */\n";
  }
  for (const FurtherMember &member : further)
    os << "  " << member.type << member.name << "; /* " << member.meaning << " */\n";
  if (tensors.empty() && further.empty())
    os << "  const void *none;\n";
  os << "} " << prefix << "_" << kind << ";\n\n";
}

/// Writes macros with the element and byte counts of tensors with a known largest size.
static void emitSizes(raw_ostream &os, StringRef prefix, StringRef kind, const std::vector<PlannedTensor> &tensors) {
  std::vector<std::string> names = memberNames(tensors);
  for (auto [tensor, name] : zip_equal(tensors, names)) {
    if (!tensor.bytes.isStatic())
      continue;
    std::string stem = (prefix + "_" + kind + "_" + name).str();
    if (!tensor.dims.empty())
      os << "/* Upper bounds: the run computes the size. */\n";
    os << "#define " << StringRef(stem).upper() << "_ELEMENTS " << tensor.bytes.getSize() / tensor.elementBytes
       << "\n#define " << StringRef(stem).upper() << "_BYTES " << tensor.bytes.getSize() << "\n";
  }
}

/// Writes a macro with the length of each sequence, the number of its tensors.
static void emitLengths(raw_ostream &os, StringRef prefix, StringRef kind, const std::vector<PlannedTensor> &tensors) {
  std::vector<std::string> sequences;
  std::vector<unsigned> lengths;
  for (const PlannedTensor &tensor : tensors) {
    if (tensor.sequence.empty())
      continue;
    // The elements of a sequence are consecutive.
    if (sequences.empty() || sequences.back() != tensor.sequence) {
      sequences.push_back(tensor.sequence);
      lengths.push_back(0);
    }
    ++lengths.back();
  }
  std::vector<std::string> names = toIdentifiers(sequences);
  for (auto [sequence, name, length] : zip_equal(sequences, names, lengths))
    os << "#define " << StringRef((prefix + "_" + kind + "_" + name).str()).upper() << "_LENGTH " << length
       << " /* tensors of the sequence " << inComment(sequence) << ": " << inComment(sequence) << "_0, "
       << inComment(sequence) << "_1, ... */\n";
}

// ---- maps ----

static bool isMap(const PlannedTensor &tensor) { return !tensor.integerKeys.empty() || !tensor.stringKeys.empty(); }

static std::string keysName(StringRef prefix, StringRef kind, StringRef name) {
  return (prefix + "_" + kind + "_" + name + "_keys").str();
}

/// Writes arrays with the keys of tensors that are maps: one key per column, or per element of a vector.
static void emitKeys(raw_ostream &os, StringRef prefix, StringRef kind, const std::vector<PlannedTensor> &tensors) {
  std::vector<std::string> names = memberNames(tensors);
  for (auto [tensor, name] : zip_equal(tensors, names)) {
    if (!isMap(tensor))
      continue;
    bool isString = !tensor.stringKeys.empty(), isSingle = tensor.shape.size() == 1;
    os << "/* " << (isSingle ? "" : "Each row of ") << inComment(tensor.name) << " is a map. These are the keys of its "
       << (isSingle ? "elements" : "columns") << ", in ascending order. */\nstatic const "
       << (isString ? "char *const " : "int64_t ") << keysName(prefix, kind, name) << "["
       << std::max(tensor.integerKeys.size(), tensor.stringKeys.size()) << "] = {"
       << (isString ? join(map_range(tensor.stringKeys, stringLiteral), ", ")
                    : join(map_range(tensor.integerKeys, integerLiteral), ", "))
       << "};\n";
  }
}

// ---- dynamic sizes ----

StringRef symbolsText() { return "const int64_t *symbols = (const int64_t *)dims;"; }

static void emitDims(raw_ostream &os, StringRef prefix, const ModelPlan &plan) {
  os << "/* Values of the dynamic dimensions of a run. All members are int64_t, so the struct can also be read as an "
        "array. */\ntypedef struct "
     << prefix << "_dims {\n";
  std::vector<std::string> names = toIdentifiers(plan.symbols);
  for (auto [symbol, name] : zip_equal(plan.symbols, names))
    os << "  int64_t " << name << "; /* " << inComment(symbol) << " */\n";
  os << "} " << prefix << "_dims;\n\n";
}

static void emitTensorBytes(raw_ostream &os, StringRef prefix, StringRef kind, const ModelPlan &plan,
                            const std::vector<PlannedTensor> &tensors) {
  std::vector<std::string> names = memberNames(tensors);
  for (auto [number, tensor] : enumerate(tensors)) {
    if (tensor.bytes.isStatic())
      continue;
    os << "static inline uint64_t " << prefix << "_" << kind << "_" << names[number] << "_bytes(const " << prefix
       << "_dims *dims) {\n  if (!dims)\n    return UINT64_MAX;\n  " << symbolsText()
       << "\n  uint64_t bytes = UINT64_MAX;\n  cameo_tensor_bytes(&" << prefix << "_description, &" << prefix
       << "_description." << kind << "s[" << number << "], symbols, &bytes);\n  return bytes;\n}\n";
  }
}

void emitSizeFunctions(raw_ostream &os, StringRef prefix, const ModelPlan &plan) {
  os << "/* Bytes of workspace for these sizes, a multiple of " << prefix.upper()
     << "_ALIGNMENT. UINT64_MAX if `dims` is null or\n * the model does not accept these sizes. */\nstatic inline "
        "uint64_t "
     << prefix << "_workspace_size(const " << prefix << "_dims *dims) {\n  if (!dims)\n    return UINT64_MAX;\n  "
     << symbolsText() << "\n  uint64_t bytes = " << prefix
     << "_description.workspace_size(symbols);\n  return bytes ? bytes : " << prefix.upper()
     << "_ALIGNMENT; /* some allocators do not accept 0 */\n}\n\n/* Bytes of inputs and outputs; an upper bound if the "
        "run computes the size. UINT64_MAX as above. */\n";
  emitTensorBytes(os, prefix, "input", plan, plan.inputs);
  emitTensorBytes(os, prefix, "output", plan, plan.outputs);
  os << "\n";
}

// ---- running ----

/// Returns the members of the struct `argument` as a list of pointers of `type`, for the initializer of an array.
static std::string listPointers(StringRef argument, ArrayRef<std::string> names, StringRef type,
                                ArrayRef<FurtherMember> further) {
  SmallVector<std::string> pointers;
  for (const std::string &name : names)
    pointers.push_back(("(" + type + ")" + argument + "->" + name).str());
  for (const FurtherMember &member : further)
    pointers.push_back((argument + "->" + member.name).str());
  return pointers.empty() ? "0" : join(pointers, ", ");
}

void emitPointerArrays(raw_ostream &os, const ModelPlan &plan) {
  std::vector<FurtherMember> further = furtherMembers(plan);
  SmallVector<StringRef> needed;
  if (!plan.inputs.empty())
    needed.push_back("!inputs");
  if (!plan.outputs.empty() || !further.empty())
    needed.push_back("!outputs");
  if (!plan.symbols.empty())
    needed.push_back("!dims");
  os << "  (void)inputs, (void)outputs; /* unused if the model has none */\n"
     << (needed.empty() ? "" : "  if (" + join(needed, " || ") + ")\n    return CAMEO_INVALID_ARGUMENT;\n")
     << "  const void *in[] = {" << listPointers("inputs", memberNames(plan.inputs), "const void *", {}) << "};\n"
     << "  void *out[] = {" << listPointers("outputs", memberNames(plan.outputs), "void *", further) << "};\n"
     << (plan.symbols.empty() ? "" : ("  " + symbolsText() + "\n").str());
}

static void emitRunWrapper(raw_ostream &os, StringRef prefix, const ModelPlan &plan) {
  bool hasDims = !plan.symbols.empty();
  os << "/* Runs the model once. `workspace`: "
     << (hasDims ? prefix.str() + "_workspace_size(dims)" : prefix.upper() + "_WORKSPACE_BYTES")
     << " bytes at a multiple of " << prefix.upper()
     << "_ALIGNMENT; its\n * contents matter neither before nor after. `context`: threads and profile, may be null. "
     << "Allocates nothing; may be called\n * from several threads at once, each with its own workspace. */\n"
     << "static inline cameo_status " << prefix << "_run(const " << prefix << "_inputs *inputs, const " << prefix
     << "_outputs *outputs,\n    " << (hasDims ? "const " + prefix.str() + "_dims *dims, " : "")
     << "void *workspace, const cameo_context *context) {\n";
  emitPointerArrays(os, plan);
  os << "  return " << prefix << "_run_buffers(in, out, " << (hasDims ? "symbols" : "0")
     << ", workspace, context);\n}\n\n";
}

/// Fills an input of strings, whose size in bytes is the C expression `bytes`. The variable is in its own block, so
/// that its name need not be made unique for each input.
static void emitExampleStrings(raw_ostream &os, StringRef name, StringRef bytes) {
  os << " *     {\n *       const char **strings = calloc(" << bytes << ", 1);\n *       for (uint64_t i = 0; i < "
     << bytes << " / sizeof *strings; ++i)\n *         strings[i] = \"string\";\n *       inputs." << name
     << " = strings;\n *     }\n";
}

void emitExampleTensors(raw_ostream &os, StringRef prefix, const ModelPlan &plan) {
  if (!plan.symbols.empty())
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
                              ? prefix.upper() + "_" + kind.upper() + "_" + StringRef(name).upper() + "_BYTES"
                              : (prefix + "_" + kind + "_" + name + "_bytes(&dims)").str();
      if (kind == "input" && isString(tensor))
        emitExampleStrings(os, name, bytes);
      else
        os << " *     " << kind << "s." << name << " = calloc(" << bytes << ", 1);\n";
    }
  }
  if (plan.makesStrings)
    os << " *     static char memory[4096];\n *     cameo_text_area area = {memory, sizeof memory, 0};\n *     outputs."
       << furtherMembers(plan).back().name << " = &area;\n";
}

/// Writes a complete example program as text inside a comment. The tests compile it.
static void emitExample(raw_ostream &os, StringRef prefix, const ModelPlan &plan) {
  std::string upper = prefix.upper();
  bool hasDims = !plan.symbols.empty();
  os << " *   #include \"" << prefix << ".h\"\n *   #include <stdlib.h>\n *\n *   int main(void) {\n";
  emitExampleTensors(os, prefix, plan);
  os << " *     void *workspace = aligned_alloc(" << upper << "_ALIGNMENT, "
     << (hasDims ? prefix.str() + "_workspace_size(&dims)" : upper + "_WORKSPACE_BYTES") << ");\n *     return "
     << prefix << "_run(&inputs, &outputs, " << (hasDims ? "&dims, " : "") << "workspace, 0);\n *   }\n";
}

static void emitDeclarations(raw_ostream &os, StringRef prefix, const ModelPlan &plan, ArrayRef<TargetInfo> targets) {
  bool hasDims = !plan.symbols.empty();
  os << "/* Names, shapes and functions of the model for generic tools, see cameo/abi.h. */\nextern const "
        "cameo_model_description "
     << prefix << "_description;\n\n";
  if (hasDims)
    emitSizeFunctions(os, prefix, plan);
  else
    os << "/* Bytes of workspace that a run needs. */\nstatic inline uint64_t " << prefix
       << "_workspace_size(void) { return " << prefix.upper() << "_WORKSPACE_BYTES; }\n\n";
  os << "/* Untyped form of " << prefix << "_run: one pointer per member of the structs, in their order. `symbols` "
     << (hasDims ? "are the sizes\n * in the order of " + prefix.str() + "_dims." : "is ignored.")
     << " */\ncameo_status " << prefix
     << "_run_buffers(const void *const *inputs, void *const *outputs, const int64_t *symbols,\n"
     << "    void *workspace, const cameo_context *context);\n\n";
  if (targets.size() > 1)
    os << "/* Name of the processor whose code runs on this machine: the first that this machine supports of "
       << inComment(cpuNames(targets, ", "))
       << ".\n * Null if it supports none: then a run returns CAMEO_UNSUPPORTED_CPU. */\nconst char *" << prefix
       << "_cpu(void);\n\n";
}

void emitHeader(const ModelPlan &plan, const CodegenOptions &options, raw_ostream &os) {
  StringRef prefix = options.prefix;
  std::string upper = prefix.upper();
  os << "/* Generated by cameo from " << inComment(options.modelName) << " for "
     << inComment(options.targets.front().triple) << ", " << inComment(cpuNames(options.targets, ", "))
     << join(map_range(options.gpus, [](const GpuMachine *gpu) { return ", " + gpu->architecture.str(); }), "")
     << ". This program runs the model once:\n *\n";
  bool isForGpu = options.targets.front().gpu;
  isForGpu ? emitGpuExample(os, prefix, plan) : emitExample(os, prefix, plan);
  os << " *\n * Link the program with the object"
     << (plan.externs.empty() ? " and" : ", the functions of --extern-ops below and")
     << " libcameo_rt.a. */\n#ifndef CAMEO_MODEL_" << upper << "_H\n#define CAMEO_MODEL_" << upper
     << "_H\n\n#include <cameo/"
     << (isForGpu               ? "gpu.h"
         : plan.symbols.empty() ? "abi.h"
                                : "runtime.h")
     << ">\n"
     << (isForGpu && !plan.symbols.empty() ? "#include <cameo/runtime.h>\n" : "")
     << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  os << "#define " << upper << "_ALIGNMENT CAMEO_ALIGNMENT\n";
  // aligned_alloc requires a multiple of the alignment, and some allocators refuse zero.
  if (plan.symbols.empty() && !isForGpu)
    os << "#define " << upper << "_WORKSPACE_BYTES "
       << std::max<int64_t>(alignTo(plan.arenaBytes, CAMEO_ALIGNMENT), CAMEO_ALIGNMENT) << "\n";
  os << "#define " << upper << "_WEIGHTS_BYTES "
     << (options.externalWeights ? getExternalBytes(plan.weightBytes) : plan.weightBytes) << "\n";
  emitSizes(os, prefix, "input", plan.inputs);
  emitSizes(os, prefix, "output", plan.outputs);
  emitLengths(os, prefix, "input", plan.inputs);
  emitLengths(os, prefix, "output", plan.outputs);
  emitKeys(os, prefix, "input", plan.inputs);
  emitKeys(os, prefix, "output", plan.outputs);
  os << "\n";
  if (!plan.symbols.empty())
    emitDims(os, prefix, plan);
  emitStruct(os, prefix, "inputs", plan.inputs, {}, /*readOnly=*/true);
  emitStruct(os, prefix, "outputs", plan.outputs, furtherMembers(plan), /*readOnly=*/false, memberNames(plan.inputs));
  emitExternHeader(plan, prefix, isForGpu, os);
  if (isForGpu) {
    emitGpuFunctions(os, prefix, plan);
  } else {
    emitDeclarations(os, prefix, plan, options.targets);
    emitRunWrapper(os, prefix, plan);
  }
  os << "#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

} // namespace cameo
