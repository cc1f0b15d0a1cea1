// Imports nodes: operators of ONNX, constants, and calls of the model's functions.
#include "frontend/Import/Graph/DataSizes.h"
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/ImportAttribute.h"
#include "frontend/Import/Graph/RankChoice.h"
#include "frontend/Import/Graph/RunSequence.h"
#include "frontend/Import/Inputs/MapSequence.h"
#include "frontend/Import/Model/NodeLocation.h"
#include "frontend/Import/Versions/OpsetUpgrade.h"
#include "frontend/Import/Written/WrittenOperators.h"
#include "frontend/ShapeInference/ReconcileTypes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include "llvm/ADT/MapVector.h"

#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>

#include <deque>
#include <map>

using namespace mlir;
using namespace cameo;

static bool isReference(const ::onnx::AttributeProto &attribute) { return !attribute.ref_attr_name().empty(); }

Location GraphImporter::locate(const Scope &scope, const ::onnx::NodeProto &node, unsigned index) const {
  return getNodeLocation(getContext(), file.getPath(), scope.callIndex.value_or(index),
                         scope.path + getNodeName(node.name(), index, node.op_type()));
}

Location GraphImporter::locateValue(StringRef name) const {
  return getValueLocation(getContext(), file.getPath(), name);
}

// Reports all unsupported operators in one error, so that the user sees at once what to replace.
LogicalResult GraphImporter::checkOperators(const Nodes &nodes, const Scope &scope) const {
  llvm::MapVector<std::string, unsigned, std::map<std::string, unsigned>> problems; // -> number of nodes
  std::optional<unsigned> first;
  for (auto [i, node] : llvm::enumerate(nodes)) {
    ResolvedOperator op = resolver.resolve(node, *scope.opsets, getContext());
    if (op.problem.empty())
      continue;
    ++problems[op.problem + " " + op.name + op.hint];
    if (!first)
      first = i;
  }
  if (problems.empty())
    return success();
  InFlightDiagnostic diagnostic = emitError(locate(scope, nodes.Get(*first), *first));
  llvm::interleave(
      problems,
      [&](const auto &entry) {
        diagnostic << entry.first << " (" << entry.second << (entry.second == 1 ? " node)" : " nodes)");
      },
      [&] { diagnostic << ", "; });
  return diagnostic;
}

/// Returns the first node in the subgraphs of `node` that reads a value from around them, or whose own subgraphs do,
/// with its number in its graph; null if there is none.
static std::pair<const ::onnx::NodeProto *, unsigned> findReader(const ::onnx::NodeProto &node, StringRef value) {
  auto reads = [&](const ::onnx::NodeProto &inner) {
    llvm::StringSet<> used;
    used.insert(inner.input().begin(), inner.input().end());
    GraphImporter::collectCaptured(inner, used);
    return used.contains(value);
  };
  for (const ::onnx::AttributeProto &attribute : node.attribute()) {
    llvm::StringSet<> captured;
    GraphImporter::collectCaptured(attribute.g(), captured);
    if (!captured.contains(value))
      continue;
    for (auto [number, inner] : llvm::enumerate(attribute.g().node()))
      if (reads(inner))
        return {&inner, number};
  }
  return {nullptr, 0};
}

Location GraphImporter::locateReader(const Scope &scope, const ::onnx::NodeProto &node, unsigned index,
                                     StringRef input) const {
  std::string path = scope.path + getNodeName(node.name(), index, node.op_type());
  const ::onnx::NodeProto *reader = &node;
  while (reader && !input.empty() && !llvm::is_contained(reader->input(), input)) {
    auto [inner, number] = findReader(*reader, input);
    reader = inner;
    if (inner)
      path += "/" + getNodeName(inner->name(), number, inner->op_type());
  }
  return getNodeLocation(getContext(), file.getPath(), scope.callIndex.value_or(index), path);
}

LogicalResult GraphImporter::importNodes(const Nodes &nodes, Scope &scope) {
  if (!onFailure && failed(checkOperators(nodes, scope)))
    return failure();
  SmallVector<NodeNames> names(nodes.size());
  std::deque<llvm::StringSet<>> captured;
  for (auto [node, entry] : llvm::zip(nodes, names)) {
    llvm::copy_if(node.input(), std::back_inserter(entry.inputs), [](StringRef name) { return !name.empty(); });
    llvm::copy_if(node.output(), std::back_inserter(entry.outputs), [](StringRef name) { return !name.empty(); });
    collectCaptured(node, captured.emplace_back());
    SmallVector<StringRef> fromAround(captured.back().keys());
    llvm::sort(fromAround); // the order of a set is not deterministic
    entry.inputs.append(fromAround);
  }
  FailureOr<SmallVector<unsigned>> order = orderNodes(
      names, [&](StringRef name) { return scope.values.contains(name); },
      [&](unsigned i, StringRef input) { return emitError(locateReader(scope, nodes.Get(i), i, input)); });
  if (failed(order))
    return failure();
  for (unsigned i : *order) {
    const ::onnx::NodeProto &node = nodes.Get(i);
    Location loc = locate(scope, node, i);
    // An unknown operator is reported even if inputs of the node are unknown.
    bool isUnknown = onFailure && hasUnknownInput(node, scope) &&
                     resolver.resolve(node, *scope.opsets, getContext()).problem.empty();
    // Skipped nodes count too, because an unrolled loop may visit them very often.
    if (succeeded(countNodes(1, loc)) && !isUnknown && succeeded(importNode(node, loc, scope, i)))
      continue;
    if (!onFailure || importedNodes > nodeLimit)
      return failure();
    recordFailure(node, loc, scope, isUnknown);
  }
  return success();
}

void GraphImporter::recordFailure(const ::onnx::NodeProto &node, Location loc, Scope &scope, bool hasUnknownInput) {
  ResolvedOperator op = resolver.resolve(node, *scope.opsets, getContext());
  Failure::Kind kind = hasUnknownInput      ? Failure::UnknownInput
                       : op.problem.empty() ? Failure::InvalidNode
                                            : Failure::UnknownOperator;
  onFailure({kind, op.name, loc});
  for (const std::string &name : node.output())
    if (!name.empty())
      scope.values[name] = makePlaceholder(name, loc, scope);
}

bool GraphImporter::hasUnknownInput(const ::onnx::NodeProto &node, const Scope &scope) const {
  // Placeholders without a type are null. A name that is not there belongs to an output that its node does not compute.
  auto isUnknown = [&](StringRef name) { return scope.values.contains(name) && !scope.values.lookup(name); };
  llvm::StringSet<> captured;
  collectCaptured(node, captured);
  return llvm::any_of(node.input(), isUnknown) || llvm::any_of(captured.keys(), isUnknown);
}

Value GraphImporter::makePlaceholder(StringRef name, Location loc, const Scope &scope) {
  TensorType stated = scope.stated ? scope.stated->lookup(name) : TensorType();
  if (!stated)
    return {};
  return UnrealizedConversionCastOp::create(builder, loc, TypeRange(stated), ValueRange()).getResult(0);
}

LogicalResult GraphImporter::countNodes(unsigned count, Location loc) {
  importedNodes += count;
  if (importedNodes <= nodeLimit)
    return success();
  if (nodeLimit < kMaxNodes)
    return failure();
  return emitError(loc) << "expected at most " << kMaxNodes
                        << " nodes after functions are inlined and loops are unrolled, got more";
}

LogicalResult GraphImporter::importNode(const ::onnx::NodeProto &node, Location loc, Scope &scope, unsigned index) {
  if (llvm::any_of(node.attribute(), isReference)) {
    FailureOr<::onnx::NodeProto> resolved = resolveReferences(node, loc, scope);
    return failed(resolved) ? failure() : importNode(*resolved, loc, scope, index);
  }
  ResolvedOperator op = resolver.resolve(node, *scope.opsets, getContext());
  if (!op.problem.empty())
    return emitError(loc) << op.problem << " " << op.name << op.hint;
  if (SmallVector<StringRef> choices = findRankChoices(node, scope); !choices.empty())
    return importForRanks(node, choices, loc, scope, index);
  if (op.function)
    return inlineFunction(node, *op.function, loc, scope, index);
  if (op.kind == ResolvedOperator::Extern)
    return importExtern(node, op, loc, scope);
  if (op.kind == ResolvedOperator::FlexAttention)
    return importFlexAttention(node, loc, scope, index);
  // An operator of a plugin may have the name of an ONNX operator, so it is handled before the names are compared.
  if (op.foreign)
    return importOperator(node, op, loc, scope);
  if (node.op_type() == "Constant")
    return importConstant(node, loc, scope);
  if (isOfSequences(node.op_type()))
    return importSequenceOperator(node, loc, scope);
  if (hasBodies(node.op_type()))
    return importSubgraphs(node, op.version, loc, scope, index);
  return importOperator(node, op, loc, scope);
}

FailureOr<::onnx::NodeProto> GraphImporter::resolveReferences(const ::onnx::NodeProto &node, Location loc,
                                                              const Scope &scope) {
  ::onnx::NodeProto resolved = node;
  resolved.clear_attribute();
  for (const ::onnx::AttributeProto &attribute : node.attribute()) {
    const ::onnx::AttributeProto *given = &attribute;
    if (isReference(attribute))
      given = scope.arguments ? scope.arguments->lookup(attribute.ref_attr_name()) : nullptr;
    if (!given)
      continue;
    // The names in such a graph refer to values around the call, which the function does not see.
    if (isReference(attribute) && (given->has_g() || given->graphs_size() != 0))
      return emitError(loc) << "references to attributes of functions that are graphs are not supported: '"
                            << attribute.ref_attr_name() << "'";
    *resolved.add_attribute() = *given;
    resolved.mutable_attribute(resolved.attribute_size() - 1)->set_name(attribute.name());
  }
  return resolved;
}

FailureOr<Value> GraphImporter::getOperand(StringRef name, Location loc, const Scope &scope, bool takesMaps) {
  if (name.empty())
    return cameo::onnx::makeNone(builder, loc);
  Value value = scope.values.lookup(name);
  // A node may not compute all its outputs, such as the second output of a call of a function with one.
  if (!value)
    return emitError(loc) << "expected input '" << name << "' to be made by its node, got none";
  std::optional<MapSequence> maps = getMapSequence(value);
  if (maps && !takesMaps)
    return emitError(loc) << "expected a tensor, got maps, which are supported as inputs of DictVectorizer and "
                             "CastMap, and as outputs of the model: '"
                          << name << "'";
  if (takesMaps && !maps)
    return emitError(loc) << "expected a map, got '" << name << "', which is none";
  if (maps && !isSingle(*maps))
    return emitError(loc) << "expected a map, got a sequence of maps: '" << name << "'";
  return value;
}

LogicalResult GraphImporter::bindOutput(StringRef name, Value value, Location loc, Scope &scope) {
  TensorType stated = scope.stated ? scope.stated->lookup(name) : TensorType();
  if (stated && !cameo::onnx::isAbsent(value) && !getRankChoice(value)) {
    bool isStale = !options.dims.empty();
    FailureOr<Type> type = reconcileTypes(getPresent(value).getType(), {name, stated, isStale}, loc);
    if (failed(type))
      return failure();
    // Only results of operations are refined; inputs and constants keep their types.
    if (value.getDefiningOp<cameo::onnx::OnnxOp>() && !value.getDefiningOp<cameo::onnx::ConstantOp>())
      value.setType(*type);
  }
  scope.values[name] = value;
  return boundNumbers(name, loc, scope);
}

LogicalResult GraphImporter::boundNumbers(StringRef name, Location loc, Scope &scope) {
  // Bounds name values of the main graph. Functions and subgraphs may use the same names for other values.
  if (!scope.stated)
    return success();
  Value &value = scope.values[name];
  FailureOr<Value> bounded = bounds.apply(builder, loc, name, value,
                                          [&] { return nameSize(name, std::numeric_limits<int64_t>::max(), scope); });
  if (succeeded(bounded))
    value = *bounded;
  return success(succeeded(bounded));
}

LogicalResult GraphImporter::importConstant(const ::onnx::NodeProto &node, Location loc, Scope &scope) {
  if (node.output_size() != 1 || node.output(0).empty() || node.input_size() != 0)
    return emitError(loc) << "expected a constant without inputs and with one output";
  if (node.attribute_size() != 1)
    return emitError(loc) << "expected one attribute with the value, got " << node.attribute_size();
  FailureOr<ElementsAttr> value = importConstantValue(node.attribute(0), file, loc, options.loadWeights);
  if (failed(value))
    return failure();
  Value constant = cameo::onnx::ConstantOp::create(builder, loc, value->getType(), *value);
  return bindOutput(node.output(0), constant, loc, scope);
}

/// Returns the stated type of a value, with the sizes that options fix; null if none is stated.
TensorType GraphImporter::getStatedType(StringRef name, const Scope &scope) const {
  TensorType type = scope.stated ? scope.stated->lookup(name) : TensorType();
  std::optional<cameo::onnx::DimList> stated = type ? cameo::onnx::getDims(type) : std::nullopt;
  if (!stated)
    return type;
  llvm::transform(*stated, stated->begin(), [&](const cameo::Dim &dim) { return dims.fix(dim); });
  return cameo::onnx::makeTensorType(*stated, type.getElementType());
}

LogicalResult GraphImporter::importOperator(const ::onnx::NodeProto &node, const ResolvedOperator &resolved,
                                            Location loc, Scope &scope) {
  bool isIdentity = node.op_type() == "Identity" && !resolved.foreign;
  Value only = node.input_size() == 1 && node.output_size() == 1 ? scope.values.lookup(node.input(0)) : Value();
  if (only && getMapSequence(only) && isIdentity)
    return bindOutput(node.output(0), only, loc, scope);
  NodeDraft draft{builder, loc, node.op_type(), resolved.version, {}, {}, {}, {}};
  for (const std::string &name : node.input()) {
    FailureOr<Value> operand = getOperand(name, loc, scope, resolved.written && resolved.written->takesMaps);
    if (failed(operand))
      return failure();
    draft.operands.push_back(*operand);
  }
  for (const std::string &name : node.output())
    draft.outputs.push_back(!name.empty());
  for (const std::string &name : node.output())
    draft.statedTypes.push_back(getStatedType(name, scope));
  if (TensorType stated = scope.stated && node.output_size() ? scope.stated->lookup(node.output(0)) : TensorType();
      stated && stated.hasRank())
    draft.statedRank = stated.getRank();
  for (const ::onnx::AttributeProto &attribute : node.attribute()) {
    if (draft.attributes.get(attribute.name()))
      return emitError(loc) << "expected each attribute once, got '" << attribute.name() << "' twice";
    FailureOr<Attribute> value = importAttribute(attribute, file, loc, options.loadWeights || resolved.written);
    if (failed(value))
      return failure();
    draft.attributes.set(attribute.name(), *value);
  }
  // A sequence is a list of values, which only operators on sequences, nodes with subgraphs and Identity take.
  bool hasSequence = llvm::any_of(draft.operands, [](Value operand) { return isa<TupleType>(operand.getType()); });
  bool isAbsent = node.input_size() == 1 && !node.input(0).empty() && cameo::onnx::isAbsent(draft.operands[0]);
  if ((hasSequence || isAbsent) && isIdentity && node.output_size() == 1)
    return bindOutput(node.output(0), draft.operands[0], loc, scope);
  if (hasSequence)
    return emitError(loc) << "expected tensors, got a sequence";
  FailureOr<SmallVector<Value>> results =
      resolved.written ? writeNode(*resolved.written, draft) : makeOperation(draft, resolved.foreign);
  if (failed(results))
    return failure();
  auto isStated = [&](StringRef name) {
    TensorType stated = scope.stated ? scope.stated->lookup(name) : TensorType();
    return stated && stated.hasStaticShape();
  };
  auto nameGuard = [&] { return nameSize("split", std::numeric_limits<int64_t>::max(), scope); };
  if (!llvm::all_of(node.output(), isStated) && failed(splitByData(draft, *results, nameGuard)))
    return failure();
  for (auto [result, name, isMade] : llvm::zip(*results, node.output(), draft.outputs)) {
    FailureOr<Value> counted = isMade && result ? countSizes(draft, result, name, scope) : result;
    if (failed(counted))
      return failure();
    result = *counted;
  }
  nameDataSizes(*results, node, scope);
  for (auto [i, name] : llvm::enumerate(node.output()))
    if (!name.empty() && i < results->size() && (*results)[i] && failed(bindOutput(name, (*results)[i], loc, scope)))
      return failure();
  return success();
}

FailureOr<SmallVector<Value>> GraphImporter::makeOperation(NodeDraft &draft,
                                                           std::optional<RegisteredOperationName> foreign) {
  if (!foreign && failed(upgradeNode(draft)))
    return failure();
  DictionaryAttr attributes = draft.attributes.getDictionary(getContext());
  FailureOr<Operation *> op =
      foreign ? createOperation(builder, draft.loc, *foreign, draft.operands, attributes, draft.outputs)
              : createOnnxOperation(builder, draft.loc, draft.opType, draft.operands, attributes, draft.outputs);
  if (failed(op))
    return failure();
  SmallVector<Value> results((*op)->getResults());
  for (auto &[index, finish] : llvm::reverse(draft.finishes)) {
    results.resize(std::max<size_t>(results.size(), index + 1));
    FailureOr<Value> result = finish(results[index]);
    if (failed(result))
      return failure();
    results[index] = *result;
  }
  return results;
}

namespace {

// Field number of FunctionProto.attribute_proto, the default values of attributes. The installed ONNX may lack it.
constexpr int kFunctionDefaults = 11;

SmallVector<::onnx::AttributeProto> readDefaults(const ::onnx::FunctionProto &function) {
  SmallVector<::onnx::AttributeProto> defaults;
  const google::protobuf::UnknownFieldSet &fields = function.unknown_fields();
  for (int i = 0, e = fields.field_count(); i < e; ++i) {
    const google::protobuf::UnknownField &field = fields.field(i);
    ::onnx::AttributeProto attribute;
    if (field.number() == kFunctionDefaults && field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED &&
        attribute.ParseFromString(field.length_delimited()))
      defaults.push_back(std::move(attribute));
  }
  return defaults;
}

} // namespace

LogicalResult GraphImporter::inlineFunction(const ::onnx::NodeProto &node, const ::onnx::FunctionProto &function,
                                            Location loc, Scope &scope, unsigned index) {
  if (llvm::is_contained(scope.calls, &function))
    return emitError(loc) << "expected no recursion, got function '" << function.name() << "' calling itself";
  if (scope.calls.size() == kMaxCalls) // the error names only the outermost call of the path
    return emitError(getNodeLocation(getContext(), file.getPath(), scope.callIndex.value_or(index),
                                     StringRef(scope.path).split('/').first))
           << "expected functions that call others at most " << kMaxCalls << " deep, got a call of '" << function.name()
           << "' beyond";
  if (node.input_size() > function.input_size() || node.output_size() > function.output_size())
    return emitError(loc) << "expected at most " << function.input_size() << " inputs and " << function.output_size()
                          << " outputs of function '" << function.name() << "', got " << node.input_size() << " and "
                          << node.output_size();
  FailureOr<OpsetImports> opsets = readFunctionOpsets(function, loc);
  if (failed(opsets))
    return failure();

  Arguments arguments;
  SmallVector<::onnx::AttributeProto> defaults = readDefaults(function);
  for (const ::onnx::AttributeProto &attribute : defaults)
    arguments[attribute.name()] = &attribute;
  for (const ::onnx::AttributeProto &attribute : node.attribute())
    arguments[attribute.name()] = &attribute;

  Scope inner;
  inner.opsets = &*opsets;
  inner.arguments = &arguments;
  inner.path = scope.path + getNodeName(node.name(), index, node.op_type()) + "/";
  inner.callIndex = scope.callIndex.value_or(index);
  inner.calls = scope.calls;
  inner.calls.push_back(&function);
  for (auto [i, name] : llvm::enumerate(function.input())) {
    FailureOr<Value> operand = getOperand(int(i) < node.input_size() ? StringRef(node.input(i)) : "", loc, scope);
    if (failed(operand))
      return failure();
    if (inner.values.contains(name))
      return emitError(loc) << "expected distinct inputs of function '" << function.name() << "', got '" << name
                            << "' twice";
    inner.values[name] = *operand;
  }
  if (failed(importNodes(function.node(), inner)))
    return failure();
  for (auto [name, formal] : llvm::zip(node.output(), function.output())) {
    Value value = inner.values.lookup(formal);
    if (!value)
      return emitError(loc) << "expected function '" << function.name() << "' to make its output '" << formal
                            << "', got no node that does";
    if (!name.empty() && failed(bindOutput(name, value, loc, scope)))
      return failure();
  }
  return success();
}
