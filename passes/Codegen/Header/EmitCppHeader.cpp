// Writes the text of the C++ header.
#include "passes/Codegen/Header/EmitCppHeader.h"

#include "passes/Codegen/Header/EmitHeader.h"
#include "passes/Codegen/Header/SpellInC.h"
#include "passes/Target/CpuList.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cameo {
namespace {

/// C++ expression for the symbols in the order of the description; `sizes` is a `dims`.
constexpr StringLiteral sizesText = "reinterpret_cast<const std::int64_t *>(&sizes)";

class CppHeaderWriter {
public:
  CppHeaderWriter(const ModelPlan &plan, StringRef prefix, bool hasChoice, bool isForGpu, raw_ostream &os)
      : plan(plan), prefix(prefix), hasChoice(hasChoice), isForGpu(isForGpu), os(os),
        inputNames(memberNames(plan.inputs)), outputNames(memberNames(plan.outputs)), further(furtherMembers(plan)) {}

  void writeClass();

private:
  void writeTensors(StringRef kind, ArrayRef<PlannedTensor> tensors, ArrayRef<std::string> names);
  void writeSizesOfRun(StringRef kind, const PlannedTensor &tensor, StringRef name, unsigned number);
  void writeInputs();
  void writeOutputs();
  void writePrepare();
  void writeRun();
  void writePrepareOnGpu();
  void writeRunOnGpu(bool isEnqueued);
  void writeChecks();
  void writePointers();
  bool hasDims() const { return !plan.symbols.empty(); }
  /// Returns the C++ expression for the number of elements that a tensor must hold, for use in `run`.
  std::string elements(StringRef kind, const PlannedTensor &tensor, StringRef name) const {
    return (kind + "_" + name + (tensor.bytes.isStatic() ? "::elements" : "::elements_of(sizes)")).str();
  }

  const ModelPlan &plan;
  StringRef prefix;
  bool hasChoice; ///< whether the code is for several processors
  bool isForGpu;
  raw_ostream &os;
  std::vector<std::string> inputNames, outputNames;
  std::vector<FurtherMember> further;
};

} // namespace

/// Writes the member functions of a tensor in a model with dynamic sizes: elements_of, if its own size is dynamic, and
/// shape_of.
void CppHeaderWriter::writeSizesOfRun(StringRef kind, const PlannedTensor &tensor, StringRef name, unsigned number) {
  bool isOpen = !tensor.bytes.isStatic();
  os << " {\n";
  if (isOpen)
    os << "    /// Number of elements; UINT64_MAX if the model does not accept these sizes.\n    static std::uint64_t "
          "elements_of(const dims "
          "&sizes) noexcept {\n"
       << "      const std::uint64_t bytes = " << prefix << "_" << kind << "_" << name << "_bytes(&sizes);\n"
       << "      return bytes == UINT64_MAX ? bytes : bytes / sizeof(element);\n    }\n";
  os << "    static std::array<std::int64_t, rank> shape_of(const dims &sizes) noexcept {\n"
     << "      return cameo::shape_of<rank>(" << prefix << "_description, " << prefix << "_description." << kind << "s["
     << number << "], " << sizesText << ");\n    }\n  };\n";
}

void CppHeaderWriter::writeTensors(StringRef kind, ArrayRef<PlannedTensor> tensors, ArrayRef<std::string> names) {
  for (auto [number, tensor] : enumerate(tensors)) {
    os << "  /// " << inComment(tensor.name) << ": " << inComment(tensor.shapeText);
    if (tensor.bytes.isStatic() && !tensor.dims.empty())
      os << ", at most " << tensor.bytes.getSize() / tensor.elementBytes << " elements";
    os << "\n  struct " << kind << "_" << names[number] << " : cameo::tensor<" << StringRef(tensor.cType).rtrim()
       << ", CAMEO_" << elementTypeConstant(tensor.elementType) << ", ";
    if (tensor.bytes.isStatic())
      os << tensor.bytes.getSize() / tensor.elementBytes;
    else
      os << "cameo::open_elements";
    for (int64_t size : tensor.shape)
      os << ", " << (size < 0 ? "cameo::open_size" : std::to_string(size));
    os << ">";
    if (hasDims())
      writeSizesOfRun(kind, tensor, names[number], number);
    else
      os << " {};\n";
  }
}

void CppHeaderWriter::writeInputs() {
  os << "\n  /// Dense, row-major; the caller owns the memory.\n  struct inputs {\n";
  for (const std::string &name : inputNames)
    os << "    cameo::span<const input_" << name << "::element> " << name << ";\n";
  os << "  };\n";
}

void CppHeaderWriter::writeOutputs() {
  os << "  /// Dense, row-major; the caller owns the memory of the spans. A run sets the other members: the shapes of "
        "outputs whose sizes it computes.\n  struct outputs "
        "{\n";
  for (const std::string &name : outputNames)
    os << "    cameo::span<output_" << name << "::element> " << name << ";\n";
  auto next = further.begin();
  for (auto [tensor, name] : zip_equal(plan.outputs, outputNames))
    if (!tensor.dims.empty())
      os << "    std::array<std::int64_t, output_" << name << "::rank> " << (next++)->name << " = {};\n";
  if (plan.makesStrings)
    os << "    /// Memory of the caller for the strings that a run creates, see cameo/abi.h.\n    cameo_text_area "
       << further.back().name << " = {};\n";
  os << "  };\n";
}

void CppHeaderWriter::writePrepare() {
  os << "\n  " << prefix
     << "_model() noexcept = default;\n  /// Uses `workspace` as the memory of runs, such as memory of the caller.\n  "
        "explicit "
     << prefix << "_model(cameo::workspace workspace) noexcept : memory(std::move(workspace)) {}\n\n"
     << "  static const cameo_model_description &description() noexcept { return " << prefix << "_description; }\n";
  if (hasChoice)
    os << "  /// Name of the processor whose code runs on this machine; null if this machine supports none that the "
          "model is compiled for.\n"
       << "  static const char *cpu() noexcept { return " << prefix << "_cpu(); }\n";
  os << "\n";
  if (hasDims())
    os << "  /// Allocates the workspace for runs of these sizes, and of all others that need no more. "
          "CAMEO_INVALID_ARGUMENT: the model does\n"
       << "  /// not accept them. CAMEO_OUT_OF_MEMORY: the allocation failed.\n  cameo_status prepare(const dims "
          "&sizes) "
          "noexcept {\n"
       << "    const std::uint64_t bytes = " << prefix << "_workspace_size(&sizes);\n"
       << "    return bytes == UINT64_MAX ? CAMEO_INVALID_ARGUMENT : memory.allocate(bytes);\n  }\n";
  else
    os << "  /// Allocates the workspace. CAMEO_OUT_OF_MEMORY: the allocation failed.\n"
       << "  cameo_status prepare() noexcept { return memory.allocate(" << prefix << "_workspace_size()); }\n";
}

/// Writes the first statements of a function with the parameters `from` and `to`: the checks of their sizes, in a
/// condition whose last operand the caller writes.
void CppHeaderWriter::writeChecks() {
  os << "    static_cast<void>(from), static_cast<void>(to); // unused if the model has none\n    if (";
  for (auto [tensor, name] : zip_equal(plan.inputs, inputNames))
    os << "from." << name << ".size() != " << elements("input", tensor, name) << " ||\n        ";
  for (auto [tensor, name] : zip_equal(plan.outputs, outputNames))
    os << "to." << name << ".size() < " << elements("output", tensor, name) << " ||\n        ";
}

void CppHeaderWriter::writePointers() {
  os << "    " << prefix << "_inputs in = {};\n    " << prefix << "_outputs out = {};\n";
  for (const std::string &name : inputNames)
    os << "    in." << name << " = from." << name << ".data();\n";
  for (const std::string &name : outputNames)
    os << "    out." << name << " = to." << name << ".data();\n";
  for (auto [number, member] : enumerate(further))
    os << "    out." << member.name << " = "
       << (plan.makesStrings && number + 1 == further.size() ? "&to." + member.name : "to." + member.name + ".data()")
       << ";\n";
}

void CppHeaderWriter::writeRun() {
  os << "\n  /// Runs the model once; allocates nothing. Not thread-safe: each thread needs its own object.\n"
     << "  /// CAMEO_INVALID_ARGUMENT: the size of an input is not that of its shape, an output is too small, the "
        "model does not accept the\n"
     << "  /// sizes, or the workspace is too small for them. `context`: threads, profile and external weights; may be "
        "null.\n"
     << "  cameo_status run(const inputs &from, outputs &to, " << (hasDims() ? "const dims &sizes, " : "")
     << "const cameo_context *context = nullptr) noexcept {\n";
  writeChecks();
  os << "memory.bytes() < " << prefix << "_workspace_size(" << (hasDims() ? "&sizes" : "")
     << "))\n      return CAMEO_INVALID_ARGUMENT;\n";
  writePointers();
  os << "    return " << prefix << "_run(&in, &out, " << (hasDims() ? "&sizes, " : "")
     << "memory.data(), context);\n  }\n";
}

void CppHeaderWriter::writePrepareOnGpu() {
  os << "\n  /// Runs on the device on which `gpu` has loaded " << prefix
     << "_gpu. `gpu` must outlive this object; several objects may share it.\n  explicit " << prefix
     << "_model(const cameo::gpu &gpu) noexcept : gpu(&gpu) {}\n\n  static const cameo_model_description "
        "&description() noexcept { return "
     << prefix << "_description; }\n  static const cameo_gpu_model &code() noexcept { return " << prefix
     << "_gpu; }\n\n";
  if (!hasDims()) {
    os << "  /// Creates the session, which allocates the device memory of a run.\n  cameo_status prepare() noexcept { "
          "return "
          "session.create(*gpu); }\n";
    return;
  }
  os << "  /// Creates the session for runs of these sizes, and of all others that need no more memory. "
        "CAMEO_INVALID_ARGUMENT: the model does not accept them.\n"
     << "  cameo_status prepare(const dims &sizes) noexcept {\n    return session.create(*gpu, " << sizesText
     << ");\n  }\n";
}

void CppHeaderWriter::writeRunOnGpu(bool isEnqueued) {
  os << (isEnqueued ? "\n  /// Enqueues a run on tensors in device memory into `stream`, a CUstream or cudaStream_t, "
                      "and returns. Allocates nothing, and waits only for computed sizes.\n"
                      "  /// Errors and thread safety as for `run`.\n  cameo_status enqueue("
                    : "\n  /// Runs the model once on tensors in host memory, and waits for the outputs. Not "
                      "thread-safe: each thread needs its own object.\n"
                      "  /// CAMEO_INVALID_ARGUMENT: the size of an input is not that of its shape, an output is too "
                      "small, the model does not accept the sizes,\n"
                      "  /// they need more memory than the session has, or there is no session.\n  cameo_status run(")
     << "const inputs &from, " << (isEnqueued && further.empty() ? "const " : "") << "outputs &to"
     << (hasDims() ? ", const dims &sizes" : "") << (isEnqueued ? ", void *stream" : "") << ") noexcept {\n";
  writeChecks();
  os << "!session.get())\n      return CAMEO_INVALID_ARGUMENT;\n";
  writePointers();
  os << "    return " << prefix << (isEnqueued ? "_enqueue" : "_run") << "(session.get(), &in, &out"
     << (hasDims() ? ", &sizes" : "") << (isEnqueued ? ", stream" : "") << ");\n  }\n";
}

void CppHeaderWriter::writeClass() {
  os << "class " << prefix << "_model {\npublic:\n";
  if (hasDims())
    os << "  /// Values of the dynamic dimensions of a run.\n  using dims = " << prefix << "_dims;\n\n";
  writeTensors("input", plan.inputs, inputNames);
  writeTensors("output", plan.outputs, outputNames);
  writeInputs();
  writeOutputs();
  if (isForGpu) {
    writePrepareOnGpu();
    writeRunOnGpu(/*isEnqueued=*/false);
    writeRunOnGpu(/*isEnqueued=*/true);
    os << "\nprivate:\n  const cameo::gpu *gpu;\n  cameo::gpu_session session;\n};\n";
    return;
  }
  writePrepare();
  writeRun();
  os << "\nprivate:\n  cameo::workspace memory;\n};\n";
}

void emitCppHeader(const ModelPlan &plan, const CodegenOptions &options, StringRef cHeader, raw_ostream &os) {
  std::string upper = StringRef(options.prefix).upper();
  os << "// Generated by cameo from " << inComment(options.modelName) << " for " << options.targets.front().triple
     << ", " << cpuNames(options.targets, ", ") << ". C++17.\n#ifndef CAMEO_MODEL_" << upper
     << "_HPP\n#define CAMEO_MODEL_" << upper << "_HPP\n\n#include \"" << cHeader << "\"\n#include <cameo/"
     << (options.targets.front().gpu ? "gpu_model.hpp" : "model.hpp") << ">\n\n";
  CppHeaderWriter(plan, options.prefix, options.hasChoice(), options.targets.front().gpu, os).writeClass();
  os << "\n#endif\n";
}

} // namespace cameo
