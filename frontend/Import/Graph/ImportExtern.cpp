// Imports nodes that functions of the user's program compute. Their results have the types that the compiler would
// infer for its own operator, or else those that the model states.
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/ImportAttribute.h"
#include "frontend/Import/Graph/ImportType.h"
#include "frontend/Import/Graph/NameExterns.h"
#include "frontend/ShapeInference/ReconcileTypes.h"

#include "dialects/Onnx/ExternParameter.h"
#include "dialects/Onnx/OnnxOps.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

/// Whether C has a type for the elements.
static bool isPassable(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<NoneType, cameo::onnx::StringType>(element) || element.isIntOrFloat();
}

/// Returns the stated dimension with this name or expression. It is unknown unless it follows from dimensions of inputs
/// and data-dependent sizes.
cameo::Dim GraphImporter::resolveExternDim(StringRef name) const {
  cameo::Dim dim = dims.resolveSum(name, getContext());
  if (!dim.isUnknown() || !sizeNames.contains(name))
    return dim;
  return cameo::Dim::named(StringAttr::get(getContext(), name)); // a data-dependent size
}

const ::onnx::ValueInfoProto *GraphImporter::findStated(const ::onnx::GraphProto &graph, StringRef name) {
  auto [found, isNew] = statedValues.try_emplace(&graph);
  auto add = [values = &found->second](const ::onnx::ValueInfoProto &value) {
    if (value.type().value_case() != ::onnx::TypeProto::VALUE_NOT_SET)
      (*values)[value.name()] = &value;
  };
  // Outputs come last, because their types override those of `value_info`.
  if (isNew) {
    llvm::for_each(graph.value_info(), add);
    llvm::for_each(graph.output(), add);
  }
  return found->second.lookup(name);
}

/// Imports the node as if no function computed it, reads the types of its results, and erases its operations again.
GraphImporter::KnownResults GraphImporter::inferKnownResults(const ::onnx::NodeProto &node, Location loc,
                                                             const Scope &scope) {
  KnownResults known;
  ResolvedOperator op = resolver.resolveUnnamed(node, *scope.opsets, getContext());
  bool isOperation = op.kind == ResolvedOperator::Operation || op.kind == ResolvedOperator::Written;
  if (!op.problem.empty() || op.function || !isOperation ||
      (!op.foreign && (hasBodies(node.op_type()) || isOfSequences(node.op_type()))))
    return known;
  Scope own = {{},          scope.opsets, scope.arguments, /*stated=*/nullptr,
               scope.graph, scope.path,   scope.callIndex, scope.calls};
  for (const std::string &name : node.input())
    own.values[name] = scope.values.lookup(name);
  llvm::StringSet<> namesBefore = sizeNames;
  Block *block = builder.getInsertionBlock();
  auto last = [&] {
    return builder.getInsertionPoint() == block->begin() ? nullptr : &*std::prev(builder.getInsertionPoint());
  };
  Operation *before = last();
  {
    ScopedDiagnosticHandler quiet(getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error && known.error.empty())
        known.error = diagnostic.str();
      return success();
    });
    if (succeeded(importOperator(node, op, loc, own))) {
      for (const std::string &name : node.output())
        if (Value value = own.values.lookup(name))
          known.types[name] = value.getType();
      known.error.clear();
    }
  }
  while (last() != before)
    last()->erase();
  sizeNames = std::move(namesBefore);
  return known;
}

/// Returns the first axis whose size is not an expression of `names`, 0 for a type without a shape, and nothing if all
/// sizes are.
static std::optional<int64_t> findOpenAxis(Type type, const llvm::StringSet<> &names) {
  auto tensor = dyn_cast<TensorType>(type);
  std::optional<cameo::onnx::DimList> sizes = tensor ? cameo::onnx::getDims(tensor) : std::nullopt;
  if (!sizes)
    return 0;
  for (auto [axis, size] : llvm::enumerate(*sizes)) {
    llvm::SetVector<StringAttr> used;
    cameo::collectNames(size, used);
    if (size.isUnknown() || llvm::any_of(used, [&](StringAttr name) { return !names.contains(name.strref()); }))
      return axis;
  }
  return std::nullopt;
}

FailureOr<Type> GraphImporter::importExternOutput(StringRef name, StringRef operatorName, const KnownResults &known,
                                                  Location loc, const Scope &scope) {
  if (name.empty())
    return Type(builder.getNoneType());
  Type inferred = known.types.lookup(name);
  std::optional<int64_t> openAxis = inferred ? findOpenAxis(inferred, sizeNames) : std::nullopt;
  if (inferred && !openAxis) {
    if (!isPassable(inferred))
      return emitError(loc) << "output '" << name << "' of " << operatorName
                            << ", which a function computes: expected elements of a type of C, got "
                            << getElementTypeOrSelf(inferred);
    TensorType given = scope.stated ? scope.stated->lookup(name) : TensorType();
    return given ? reconcileTypes(inferred, {name, given, /*isStale=*/!options.dims.empty()}, loc)
                 : FailureOr<Type>(inferred);
  }
  auto fail = [&] {
    return emitError(loc) << "output '" << name << "' of " << operatorName << ", which a function computes: expected ";
  };
  constexpr StringRef howTo = "; state element type and shape of the value in the graph's value_info, as "
                              "onnx.helper.make_tensor_value_info makes it";
  if (!scope.graph)
    return fail() << "a node of a graph, where its type can be stated, got one of a function";
  const ::onnx::ValueInfoProto *stated = findStated(*scope.graph, name);
  if (!stated) {
    InFlightDiagnostic diagnostic = fail() << "a stated type, ";
    if (openAxis)
      diagnostic << "since dimension " << *openAxis << " does not follow from the sizes of the inputs, ";
    else if (!known.error.empty())
      diagnostic << "since the compiler infers none (" << known.error << "), ";
    return diagnostic << "got none" << howTo;
  }
  FailureOr<TensorType> type = importStatedType(*stated, [&](StringRef dim) { return resolveExternDim(dim); }, loc);
  if (failed(type))
    return failure();
  std::optional<cameo::onnx::DimList> sizes = *type ? cameo::onnx::getDims(*type) : std::nullopt;
  if (!sizes)
    return fail() << "a stated shape, got none" << howTo;
  for (auto [axis, size] : llvm::enumerate(*sizes)) {
    if (!size.isUnknown())
      continue;
    StringRef text = stated->type().tensor_type().shape().dim(axis).dim_param();
    InFlightDiagnostic diagnostic = fail() << "dimension " << axis
                                           << " to be a number, or made of names of the inputs' dimensions, got ";
    return text.empty() ? diagnostic << "none" << howTo : diagnostic << "'" << text << "'";
  }
  if (!isPassable(*type))
    return fail() << "elements of a type of C, got " << (*type).getElementType();
  return Type(*type);
}

/// Returns the attributes of the node, which the function gets as fields of a struct.
FailureOr<DictionaryAttr> GraphImporter::importExternParameters(const ::onnx::NodeProto &node, Location loc) {
  NamedAttrList parameters;
  for (const ::onnx::AttributeProto &attribute : node.attribute()) {
    if (parameters.get(attribute.name()))
      return emitError(loc) << "expected each attribute once, got '" << attribute.name() << "' twice";
    FailureOr<Attribute> value = importAttribute(attribute, file, loc, options.loadWeights);
    if (failed(value))
      return failure();
    if (ElementsAttr tensor = cameo::onnx::getTensorParameter(*value); tensor && !isPassable(tensor.getElementType()))
      return emitError(loc) << "attribute '" << attribute.name()
                            << "': expected a tensor with elements of a type of C, got " << tensor.getElementType();
    parameters.set(attribute.name(), *value);
  }
  return parameters.getDictionary(getContext());
}

LogicalResult GraphImporter::importExtern(const ::onnx::NodeProto &node, const ResolvedOperator &op, Location loc,
                                          Scope &scope) {
  SmallVector<Value> operands;
  SmallVector<Type> types, elements;
  for (const std::string &name : node.input()) {
    FailureOr<Value> operand = getOperand(name, loc, scope);
    if (failed(operand))
      return failure();
    if (isa<TupleType>(operand->getType()))
      return emitError(loc) << "expected tensors, got a sequence";
    if (!isPassable(operand->getType()))
      return emitError(loc) << "input '" << name << "' of " << op.name
                            << ", which a function computes: expected elements of a type of C, got "
                            << getElementTypeOrSelf(operand->getType());
    operands.push_back(*operand);
    elements.push_back(getElementTypeOrSelf(operand->getType()));
  }
  KnownResults known = inferKnownResults(node, loc, scope);
  for (const std::string &name : node.output()) {
    FailureOr<Type> type = importExternOutput(name, op.name, known, loc, scope);
    if (failed(type))
      return failure();
    types.push_back(*type);
    elements.push_back(getElementTypeOrSelf(*type));
  }
  FailureOr<DictionaryAttr> parameters = importExternParameters(node, loc);
  if (failed(parameters))
    return failure();
  ArrayAttr none = builder.getStrArrayAttr({});
  auto call = cameo::onnx::ExternOp::create(builder, loc, types, op.name, makeExternName(node.domain(), node.op_type()),
                                            builder.getTypeArrayAttr(elements), *parameters, none, none, operands);
  for (auto [name, result] : llvm::zip_equal(node.output(), call.getOutputs()))
    if (!name.empty())
      scope.values[name] = result;
  return success();
}
