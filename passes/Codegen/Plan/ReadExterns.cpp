#include "passes/Codegen/Plan/ReadExterns.h"

#include "passes/Codegen/Plan/ReadTensors.h"

using namespace mlir;

namespace cameo {

static std::vector<ExternTensor> readTensors(ArrayAttr types) {
  std::vector<ExternTensor> tensors;
  for (Type type : types.getAsValueRange<TypeAttr>()) {
    ExternTensor &tensor = tensors.emplace_back();
    if (isa<NoneType>(type))
      continue;
    std::optional<CElementType> element = elementTypeInC(getElementTypeOrSelf(type));
    assert(element && "the importer refuses what C cannot have");
    tensor = {true, element->number, element->cType, *onnx::getDims(type)};
  }
  return tensors;
}

PlannedExtern readExtern(task::ExternCallOp call) {
  PlannedExtern planned{call.getFunction().str(),
                        call.getOperatorName().str(),
                        readTensors(call.getInputTypes()),
                        readTensors(call.getOutputTypes()),
                        {}};
  auto contains = [](ArrayAttr names, StringAttr name) { return llvm::is_contained(names, Attribute(name)); };
  for (NamedAttribute parameter : call.getParameters())
    planned.parameters.push_back({parameter.getName().str(), parameter.getValue(),
                                  contains(call.getOptional(), parameter.getName()),
                                  contains(call.getMissing(), parameter.getName())});
  return planned;
}

/// Merges `tensors` of one call into the signature of the function. A call that lacks a tensor passes null.
static void join(std::vector<ExternTensor> &all, ArrayRef<ExternTensor> tensors) {
  all.resize(std::max(all.size(), tensors.size()));
  for (auto [whole, tensor] : llvm::zip(all, tensors))
    if (tensor.isPresent)
      whole = tensor;
}

void addExtern(std::vector<PlannedExtern> &functions, const PlannedExtern &call) {
  auto function = llvm::find_if(functions, [&](const PlannedExtern &each) { return each.function == call.function; });
  if (function == functions.end()) {
    functions.push_back(call);
    return;
  }
  join(function->inputs, call.inputs);
  join(function->outputs, call.outputs);
}

} // namespace cameo
