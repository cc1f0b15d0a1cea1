#include "frontend/Import/Graph/NameExterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/ExternParameter.h"
#include "dialects/Onnx/OnnxOps.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace cameo;
using cameo::onnx::ExternOp;

namespace {

/// The element types of the inputs or outputs of a function; NoneType if no call has the tensor.
using Elements = SmallVector<Type>;

/// The calls of one function, and the union of their element types.
struct Overload {
  Elements inputs, outputs;
  SmallVector<ExternOp> calls;
};

Elements elementsOf(ValueRange values) {
  return llvm::map_to_vector(values, [](Value value) { return getElementTypeOrSelf(value.getType()); });
}

/// Returns the union of two lists; nothing if both have a tensor at one position, of different types.
std::optional<Elements> join(const Elements &left, const Elements &right) {
  Elements joined = left.size() > right.size() ? left : right;
  for (auto [place, a, b] : llvm::zip(joined, left, right)) {
    if (a != b && !isa<NoneType>(a) && !isa<NoneType>(b))
      return std::nullopt;
    place = isa<NoneType>(a) ? b : a;
  }
  return joined;
}

void addCall(SmallVectorImpl<Overload> &overloads, ExternOp call) {
  Elements inputs = elementsOf(call.getInputs()), outputs = elementsOf(call.getOutputs());
  for (Overload &overload : overloads) {
    std::optional<Elements> joinedInputs = join(overload.inputs, inputs),
                            joinedOutputs = join(overload.outputs, outputs);
    if (!joinedInputs || !joinedOutputs)
      continue;
    overload = {*joinedInputs, *joinedOutputs, overload.calls};
    overload.calls.push_back(call);
    return;
  }
  overloads.push_back({inputs, outputs, {call}});
}

std::string typeName(Type type) {
  std::string name;
  llvm::raw_string_ostream os(name);
  isa<cameo::onnx::StringType>(type) ? os << "string" : os << type;
  return name;
}

/// Returns `name` followed by all element types, so that it does not depend on the other nodes of the model.
std::string overloadedName(StringRef name, const Overload &overload) {
  std::string result = name.str();
  for (const Elements *elements : {&overload.inputs, &overload.outputs})
    for (Type type : *elements)
      result += "_" + typeName(type);
  return result;
}

/// Whether one field of the struct of parameters can hold both values.
bool areOfOneKind(Attribute left, Attribute right) {
  ElementsAttr a = cameo::onnx::getTensorParameter(left), b = cameo::onnx::getTensorParameter(right);
  return a && b ? a.getElementType() == b.getElementType() : left.getTypeID() == right.getTypeID();
}

/// Returns zero, or an empty string, list or tensor, of the same kind as `value`.
Attribute makeZero(Attribute value) {
  Builder builder(value.getContext());
  if (ElementsAttr tensor = cameo::onnx::getTensorParameter(value)) {
    auto type = RankedTensorType::get({0}, tensor.getElementType());
    return isa<cameo::onnx::StringType>(tensor.getElementType())
               ? Attribute(DenseElementsAttr::get(type, ArrayRef<StringRef>()))
               : Attribute(cameo::onnx::makeConstantAttr(type, std::vector<char>()));
  }
  if (isa<FloatAttr>(value))
    return builder.getF32FloatAttr(0);
  if (isa<IntegerAttr>(value))
    return builder.getI64IntegerAttr(0);
  if (isa<StringAttr>(value))
    return builder.getStringAttr("");
  if (isa<DenseF32ArrayAttr>(value))
    return builder.getDenseF32ArrayAttr({});
  if (isa<DenseI64ArrayAttr>(value))
    return builder.getDenseI64ArrayAttr({});
  return builder.getArrayAttr({});
}

LogicalResult shareParameters(ArrayRef<ExternOp> calls) {
  std::map<StringRef, Attribute> kinds; // the first value of each parameter
  for (ExternOp call : calls)
    for (NamedAttribute parameter : call.getParameters()) {
      Attribute &kind = kinds.try_emplace(parameter.getName(), parameter.getValue()).first->second;
      if (!areOfOneKind(kind, parameter.getValue()))
        return call.emitError() << "expected attribute '" << parameter.getName().strref()
                                << "' of one kind at all nodes of " << call.getOperatorName();
    }
  Builder builder(calls.front()->getContext());
  auto isMissing = [&](ExternOp call, StringRef name) { return !call.getParameters().get(name); };
  SmallVector<StringRef> optional;
  for (auto &[name, kind] : kinds)
    if (llvm::any_of(calls, [&, name = name](ExternOp call) { return isMissing(call, name); }))
      optional.push_back(name);
  for (ExternOp call : calls) {
    NamedAttrList parameters(call.getParameters());
    SmallVector<StringRef> missing;
    for (StringRef name : optional)
      if (isMissing(call, name)) {
        missing.push_back(name);
        parameters.set(name, makeZero(kinds[name]));
      }
    call.setParametersAttr(parameters.getDictionary(call->getContext()));
    call.setOptionalAttr(builder.getStrArrayAttr(optional));
    call.setMissingAttr(builder.getStrArrayAttr(missing));
  }
  return success();
}

SmallVector<ExternOp> callsOf(ModuleOp module) {
  SmallVector<ExternOp> calls;
  module.walk([&](ExternOp call) { calls.push_back(call); });
  return calls;
}

} // namespace

std::string cameo::makeExternName(StringRef domain, StringRef opType) {
  std::string name = ((domain.empty() ? "ai.onnx" : domain) + "_" + opType).str();
  std::replace_if(name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
  return name;
}

LogicalResult cameo::nameExterns(ModuleOp module) {
  llvm::MapVector<StringRef, SmallVector<Overload>> operators;
  for (ExternOp call : callsOf(module)) {
    SmallVector<Overload> &overloads = operators[call.getFunctionAttr().getValue()];
    if (!overloads.empty() && overloads.front().calls.front().getOperatorName() != call.getOperatorName())
      return call.emitError() << "expected operators whose functions have different names, got "
                              << overloads.front().calls.front().getOperatorName() << " and " << call.getOperatorName()
                              << ", which are both '" << call.getFunction() << "'";
    addCall(overloads, call);
  }
  for (auto &[name, overloads] : operators)
    for (Overload &overload : overloads) {
      if (overloads.size() > 1)
        for (ExternOp call : overload.calls)
          call.setFunction(overloadedName(name, overload));
      if (failed(shareParameters(overload.calls)))
        return failure();
    }
  return success();
}

std::vector<ExternFunction> cameo::listExterns(ModuleOp module) {
  llvm::MapVector<StringRef, ExternFunction> functions;
  for (ExternOp call : callsOf(module)) {
    ExternFunction &function = functions[call.getFunctionAttr().getValue()];
    function = {call.getFunction().str(), call.getOperatorName().str(), function.callCount + 1};
  }
  std::vector<ExternFunction> list;
  for (auto &[name, function] : functions)
    list.push_back(std::move(function));
  return list;
}
