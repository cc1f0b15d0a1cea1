// Imports the inputs, constants and outputs of the main graph.
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/ImportType.h"
#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/OutputTensors.h"
#include "frontend/Import/Graph/RunSequence.h"
#include "frontend/Import/Inputs/InputConstant.h"
#include "frontend/Import/Inputs/MapSequence.h"
#include "frontend/Import/Model/NodeLocation.h"
#include "frontend/Import/Model/SparseTensor.h"
#include "frontend/Import/Model/TensorData.h"
#include "frontend/ShapeInference/ReconcileTypes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

FailureOr<func::FuncOp> GraphImporter::importGraph(const ::onnx::GraphProto &graph, ArrayRef<FlatInput> inputs) {
  Scope scope;
  scope.opsets = &resolver.getOpsets();
  scope.stated = &statedTypes;
  scope.graph = &graph;
  if (failed(checkNames(graph)) || failed(readStatedTypes(graph)))
    return failure();
  FailureOr<func::FuncOp> function = createFunction(inputs, scope);
  if (failed(function) || failed(applyAliases(graph, scope)))
    return failure();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&function->getBody().front());
  for (const FlatInput &input : inputs)
    if (failed(boundNumbers(input.value->name(), locateValue(input.value->name()), scope)))
      return failure();
  if (failed(importInitializers(graph, scope)) || failed(importNodes(graph.node(), scope)) ||
      failed(bounds.checkUsed(function->getLoc())) || failed(finishFunction(graph, scope, *function)))
    return failure();
  return *function;
}

LogicalResult GraphImporter::checkNames(const ::onnx::GraphProto &graph) const {
  Location loc = getFileLocation(getContext(), file.getPath());
  if (graph.output_size() == 0)
    return emitError(loc) << "expected a graph with outputs, got none";
  auto checkDistinct = [&](const auto &values, StringRef kind) -> LogicalResult {
    llvm::StringSet<> seen;
    for (StringRef name : values) {
      if (name.empty())
        return emitError(loc) << "expected a name for every " << kind << ", got one without";
      if (!seen.insert(name).second)
        return emitError(locateValue(name)) << "expected distinct " << kind << "s, got this one twice";
    }
    return success();
  };
  auto nameOf = [](const auto &value) -> StringRef { return value.name(); };
  SmallVector<StringRef> initializers(llvm::map_range(graph.initializer(), nameOf));
  for (const ::onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    initializers.push_back(tensor.values().name());
  return success(succeeded(checkDistinct(llvm::map_range(graph.input(), nameOf), "input")) &&
                 succeeded(checkDistinct(llvm::map_range(graph.output(), nameOf), "output")) &&
                 succeeded(checkDistinct(initializers, "initializer")));
}

LogicalResult GraphImporter::readStatedTypes(const ::onnx::GraphProto &graph) {
  auto read = [&](const ::onnx::ValueInfoProto &value) -> LogicalResult {
    FailureOr<TensorType> type = importStatedType(value, dims, locateValue(value.name()));
    if (failed(type))
      return failure();
    if (*type)
      statedTypes[value.name()] = *type;
    return success();
  };
  // Outputs come last, because their types override those of `value_info`.
  for (const ::onnx::ValueInfoProto &value : graph.value_info())
    if (failed(read(value)))
      return failure();
  for (const ::onnx::ValueInfoProto &value : graph.output())
    if (failed(read(value)))
      return failure();
  return success();
}

/// Gives each output that shares the buffer of an input the type of the input instead of the stated one, because one
/// buffer has one shape.
LogicalResult GraphImporter::applyAliases(const ::onnx::GraphProto &graph, const Scope &scope) {
  for (const auto &alias : options.forms.aliases) {
    auto isOutput = [&](const ::onnx::ValueInfoProto &value) { return value.name() == alias.getKey(); };
    Value input = scope.values.lookup(alias.getValue());
    auto type = input ? dyn_cast<TensorType>(input.getType()) : TensorType();
    if (!type || llvm::none_of(graph.output(), isOutput))
      return emitError(getFileLocation(getContext(), file.getPath()))
             << "expected an input and an output of the model, got --alias " << alias.getValue() << "="
             << alias.getKey();
    statedTypes[alias.getKey()] = type;
  }
  return success();
}

/// Returns the attributes of an argument or result of @main: its name, the sequence that it is an element of, and the
/// keys of its columns.
DictionaryAttr GraphImporter::describeTensor(StringRef name, StringRef sequence, Attribute keys) {
  SmallVector<NamedAttribute> attributes = {builder.getNamedAttr("onnx.name", builder.getStringAttr(name))};
  if (!sequence.empty())
    attributes.push_back(builder.getNamedAttr("onnx.sequence", builder.getStringAttr(sequence)));
  if (keys)
    attributes.push_back(builder.getNamedAttr("onnx.keys", keys));
  return builder.getDictionaryAttr(attributes);
}

void GraphImporter::reserveSizeNames(TensorType type) {
  llvm::SetVector<StringAttr> sizes;
  for (const cameo::Dim &dim : cameo::onnx::getDims(type).value_or(cameo::onnx::DimList()))
    cameo::collectNames(dim, sizes);
  for (StringAttr size : sizes)
    sizeNames.insert(size.strref());
}

FailureOr<func::FuncOp> GraphImporter::createFunction(ArrayRef<FlatInput> inputs, Scope &scope) {
  auto function = func::FuncOp::create(builder, getFileLocation(getContext(), file.getPath()), "main",
                                       builder.getFunctionType({}, {}));
  Block *body = &function.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  SmallVector<DictionaryAttr> attributes;
  llvm::StringSet<> names;
  for (const FlatInput &input : inputs) {
    Location loc = locateValue(input.value->name());
    SmallVector<Value> values;
    for (const StatedInput &tensor : input.tensors) {
      FailureOr<TensorType> type = importInputType(*input.type, tensor, dims, loc);
      if (failed(type))
        return failure();
      if (!names.insert(tensor.name).second)
        return emitError(loc) << "expected no other input of the name '" << tensor.name << "'";
      if (input.kind == FlatInput::Constant) {
        FailureOr<Value> constant = makeInputConstant(builder, input.numbers, *type, loc);
        if (failed(constant))
          return failure();
        values.push_back(*constant);
        continue;
      }
      reserveSizeNames(*type);
      values.push_back(body->addArgument(*type, loc));
      attributes.push_back(
          describeTensor(tensor.name, input.kind == FlatInput::Sequence ? input.value->name() : "", input.keys));
    }
    if (input.kind == FlatInput::Sequence)
      values = {OperationMaker(builder, loc).sequence(values)};
    if (input.kind == FlatInput::Map)
      values = {makeMapSequence(builder, loc, {values.front(), input.keys})};
    scope.values[input.value->name()] =
        input.kind == FlatInput::Absent ? cameo::onnx::makeNone(builder, loc) : values.front();
  }
  function.setFunctionType(builder.getFunctionType(body->getArgumentTypes(), {}));
  function.setAllArgAttrs(attributes);
  return function;
}

LogicalResult GraphImporter::importInitializers(const ::onnx::GraphProto &graph, Scope &scope) {
  llvm::StringSet<> used;
  for (const ::onnx::NodeProto &node : graph.node()) {
    used.insert(node.input().begin(), node.input().end());
    collectCaptured(node, used);
  }
  for (const ::onnx::ValueInfoProto &output : graph.output())
    used.insert(output.name());
  llvm::StringMap<const ::onnx::ValueInfoProto *> inputs;
  for (const ::onnx::ValueInfoProto &input : graph.input())
    inputs[input.name()] = &input;
  auto bind = [&](StringRef name, llvm::function_ref<FailureOr<ElementsAttr>(Location)> read) -> LogicalResult {
    scope.values[name] = Value(); // reserve the name even if nothing uses it
    if (!used.contains(name))
      return success();
    Location loc = locateValue(name);
    FailureOr<ElementsAttr> elements = read(loc);
    FailureOr<Value> value =
        succeeded(elements) ? makeInitializer(name, *elements, inputs.lookup(name), loc) : FailureOr<Value>(failure());
    if (succeeded(value)) {
      scope.values[name] = *value;
      return success();
    }
    if (onFailure)
      onFailure({Failure::Initializer, "", loc});
    return success(static_cast<bool>(onFailure));
  };
  for (const ::onnx::TensorProto &tensor : graph.initializer())
    if (failed(bind(tensor.name(), [&](Location loc) { return importTensor(tensor, file, loc, options.loadWeights); })))
      return failure();
  for (const ::onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    if (failed(bind(tensor.values().name(), [&](Location loc) { return importSparseTensor(tensor, file, loc); })))
      return failure();
  return success();
}

FailureOr<Value> GraphImporter::makeInitializer(StringRef name, ElementsAttr value, const ::onnx::ValueInfoProto *input,
                                                Location loc) {
  if (input) {
    FailureOr<TensorType> stated = importStatedType(*input, dims, loc);
    if (failed(stated) || (*stated && failed(reconcileTypes(value.getType(), {name, *stated}, loc))))
      return failure();
  }
  return Value(cameo::onnx::ConstantOp::create(builder, loc, value.getType(), value));
}

LogicalResult GraphImporter::finishFunction(const ::onnx::GraphProto &graph, const Scope &scope,
                                            func::FuncOp function) {
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> attributes;
  llvm::StringSet<> names;
  bool isWhole = true;
  for (const ::onnx::ValueInfoProto &output : graph.output()) {
    Location loc = locateValue(output.name());
    Value value = scope.values.lookup(output.name());
    if (!value && onFailure && scope.values.contains(output.name())) {
      isWhole = false;
      continue;
    }
    if (!value)
      return emitError(loc) << "expected a node that makes this output, got none";
    if (cameo::onnx::isAbsent(value) && output.type().has_optional_type())
      continue;
    FailureOr<Value> joined = joinRanks(value, output.name(), loc, scope);
    if (failed(joined))
      return failure();
    value = *joined;
    // bindOutput has checked the results of nodes; this also checks inputs and initializers that are outputs.
    TensorType stated = statedTypes.lookup(output.name());
    bool isStale = !options.dims.empty();
    if (stated && failed(reconcileTypes(getPresent(value).getType(), {output.name(), stated, isStale}, loc)))
      return failure();
    std::optional<MapSequence> maps = getMapSequence(value);
    if (maps)
      value = maps->values;
    FailureOr<SmallVector<OutputTensor>> tensors = findOutputTensors(builder, loc, output.name(), value);
    if (failed(tensors))
      return failure();
    for (const OutputTensor &tensor : *tensors) {
      if (!names.insert(tensor.name).second)
        return emitError(loc) << "expected no other output of the name '" << tensor.name << "'";
      results.push_back(tensor.value);
      attributes.push_back(
          describeTensor(tensor.name, tensor.isElement ? output.name() : "", maps ? maps->keys : Attribute()));
      if (auto alias = options.forms.aliases.find(output.name()); alias != options.forms.aliases.end()) {
        NamedAttrList list(attributes.back());
        list.set("onnx.alias", builder.getStringAttr(alias->getValue()));
        attributes.back() = list.getDictionary(getContext());
      }
    }
  }
  if (results.empty() && isWhole)
    return emitError(function.getLoc())
           << "expected an output with a tensor, got only empty sequences and optional values without one";
  func::ReturnOp::create(builder, function.getLoc(), results);
  // Erase the casts that stood for sequences and have no uses left.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isa<UnrealizedConversionCastOp>(op) && op.use_empty())
      op.erase();
  function.setFunctionType(builder.getFunctionType(function.getArgumentTypes(), TypeRange(ValueRange(results))));
  function.setAllResultAttrs(attributes);
  return success();
}
