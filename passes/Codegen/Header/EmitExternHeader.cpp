// The struct of parameters has the layout of the constants that EmitExterns emits.
#include "passes/Codegen/Header/EmitExternHeader.h"

#include "passes/Codegen/Header/SpellInC.h"
#include "passes/Codegen/Plan/ReadTensors.h"

#include "dialects/Onnx/ExternParameter.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cameo {
namespace {

/// A field of the struct of parameters; `meaning` is its name in the model.
struct ParameterField {
  std::string name, type, meaning;
};

void addFields(const ExternParameter &parameter, std::vector<ParameterField> &fields) {
  auto add = [&](StringRef suffix, StringRef type, StringRef meaning = "") {
    fields.push_back({parameter.name + suffix.str(), type.str(), meaning.str()});
  };
  auto addList = [&](StringRef type) {
    add("", type);
    add("_count", "int64_t ");
  };
  if (mlir::ElementsAttr tensor = onnx::getTensorParameter(parameter.value)) {
    std::string type = elementTypeInC(tensor.getElementType())->cType;
    add("", StringRef(type).ends_with("*") ? type + "const *" : "const " + type + " *");
    add("_shape", "const cameo_shape *");
  } else if (isa<mlir::FloatAttr>(parameter.value))
    add("", "float ");
  else if (isa<mlir::IntegerAttr>(parameter.value))
    add("", "int64_t ");
  else if (isa<mlir::StringAttr>(parameter.value))
    add("", "const char *");
  else if (isa<mlir::DenseF32ArrayAttr>(parameter.value))
    addList("const float *");
  else if (isa<mlir::DenseI64ArrayAttr>(parameter.value))
    addList("const int64_t *");
  else
    addList("const char *const *");
  if (parameter.isOptional)
    fields.push_back({"has_" + parameter.name, "int32_t ",
                      onnx::getTensorParameter(parameter.value)
                          ? "1 if the node has the attribute; otherwise 0, and it is null"
                          : "1 if the node has the attribute; otherwise 0, and it is zero or empty"});
}

void emitParameters(raw_ostream &os, const std::string &name, const PlannedExtern &function) {
  std::vector<ParameterField> fields;
  for (const ExternParameter &parameter : function.parameters)
    addFields(parameter, fields);
  std::vector<std::string> originals;
  for (const ParameterField &field : fields)
    originals.push_back(field.name);
  os << "/* Attributes of a node of " << inComment(function.operatorName) << ". */\ntypedef struct " << name
     << "_attributes {\n";
  for (auto [field, identifier] : zip_equal(fields, toIdentifiers(originals))) {
    os << "  " << field.type << identifier << ";";
    if (!field.meaning.empty())
      os << " /* " << field.meaning << " */";
    os << "\n";
  }
  os << "} " << name << "_attributes;\n\n";
}

/// Returns a declaration such as "const float *input0, const cameo_shape *input0_shape". The type is void if no call
/// has the tensor.
std::string declare(const ExternTensor &tensor, const std::string &name, bool isInput) {
  std::string pointer = (tensor.isPresent ? tensor.cType : "void") + (tensor.cType == "const char *" ? "" : " ");
  if (isInput)
    pointer = tensor.cType == "const char *" ? pointer + "const " : "const " + pointer;
  return pointer + "*" + name + ", const cameo_shape *" + name + "_shape";
}

/// Returns a string such as "FLOAT16, BOOL -> FLOAT16", because several element types share one C type.
std::string elementsText(const PlannedExtern &function) {
  auto text = [](ArrayRef<ExternTensor> tensors) {
    return join(map_range(tensors,
                          [](const ExternTensor &tensor) {
                            return tensor.isPresent ? elementTypeConstant(tensor.elementType) : StringRef("none");
                          }),
                ", ");
  };
  return text(function.inputs) + " -> " + text(function.outputs);
}

void emitPrototype(raw_ostream &os, const std::string &name, const PlannedExtern &function) {
  std::vector<std::string> arguments;
  for (auto [number, input] : enumerate(function.inputs))
    arguments.push_back(declare(input, "input" + std::to_string(number), /*isInput=*/true));
  for (auto [number, output] : enumerate(function.outputs))
    arguments.push_back(declare(output, "output" + std::to_string(number), /*isInput=*/false));
  if (!function.parameters.empty())
    arguments.push_back("const " + name + "_attributes *attributes");
  arguments.push_back("const cameo_context *context");
  os << "/* " << inComment(function.operatorName) << "; element types: " << elementsText(function) << " */\nint "
     << name << "(" << join(arguments, ",\n    ") << ");\n\n";
}

} // namespace

void emitExternHeader(const ModelPlan &plan, StringRef prefix, bool isForGpu, raw_ostream &os) {
  if (plan.externs.empty())
    return;
  os << R"(/* Functions that the program must define, one per operator that --extern-ops left to it. A run calls the function for
 * each node that its outputs need, on the calling thread, and from several threads at once if the model runs on several
 * threads at once.
 * - Inputs and outputs are dense and row-major, and never overlap. They have the alignment of their element type, and are
 *   valid only until the function returns. The pointer of an input or output that the node does not have is null, and so
 *   is its shape.
 * - The function writes all elements of all outputs, and no other memory of the model. Strings in outputs belong to the
 *   function and must stay valid as long as the outputs are read.
 * - Equal inputs and attributes must give equal outputs: a call may be omitted, or its outputs used for several nodes.
 * - The function gets no workspace from the model. )"
     << (isForGpu ? "Inputs and outputs are in the memory of the host, which waits for the\n"
                    " *   GPU before and after the call. `context` is null.\n"
                  : "`context` is that of the run, or null: if its thread_count is above 1,\n"
                    " *   its parallel_for may be called.\n")
     << R"( * - It returns 0 on success; any other value ends the run with CAMEO_EXTERN_FAILED. It must not throw an exception or call
 *   longjmp. */

)";
  for (const PlannedExtern &function : plan.externs) {
    std::string name = (prefix + "_" + function.function).str();
    if (!function.parameters.empty())
      emitParameters(os, name, function);
    emitPrototype(os, name, function);
  }
}

} // namespace cameo
