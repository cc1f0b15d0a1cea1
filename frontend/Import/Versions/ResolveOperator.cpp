#include "frontend/Import/Versions/ResolveOperator.h"

#include "frontend/Import/Versions/NodeDraft.h"
#include "frontend/Import/Versions/OperatorVersions.h"
#include "frontend/Import/Versions/OpsetUpgrade.h"
#include "frontend/Import/Written/WrittenOperators.h"

#include "dialects/Onnx/OnnxInterfaces.h"

#include "llvm/ADT/StringSet.h"

#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

namespace {

// `overload` of NodeProto and FunctionProto is newer than the installed ONNX.
constexpr int kNodeOverload = 8, kFunctionOverload = 13;

constexpr StringLiteral kUnknown = "unknown operator", kUnsupported = "unsupported operator";

StringRef getUnknownString(const google::protobuf::UnknownFieldSet &fields, int number) {
  for (int i = 0, e = fields.field_count(); i < e; ++i)
    if (fields.field(i).number() == number &&
        fields.field(i).type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      return fields.field(i).length_delimited();
  return "";
}

StringRef normalizeDomain(StringRef domain) { return domain == "ai.onnx" ? "" : domain; }

std::string makeKey(StringRef domain, StringRef name, StringRef overload) {
  return (normalizeDomain(domain) + "\n" + name + "\n" + overload).str();
}

using ImportList = google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>;

FailureOr<OpsetImports> readOpsets(const ImportList &imports, Location loc) {
  OpsetImports opsets;
  for (const ::onnx::OperatorSetIdProto &import : imports) {
    StringRef domain = normalizeDomain(import.domain());
    auto [it, isNew] = opsets.try_emplace(domain, import.version());
    if (!isNew && it->second != import.version())
      return emitError(loc) << "expected one version of operator set '" << domain << "', got " << it->second << " and "
                            << import.version();
    if (domain.empty() && (import.version() < 1 || import.version() > kLastOpset))
      return emitError(loc) << "expected operator set " << kFirstOpset << " to " << kLastOpset << " of ai.onnx, got "
                            << import.version();
  }
  return opsets;
}

/// Whether OpsetUpgrade changes the operator to another one.
bool isRewritten(StringRef opType) { return opType == "Upsample" || opType == "Scatter"; }

using NodeList = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;

/// Adds the operators of the nodes and of their subgraphs.
void collectOperators(const NodeList &nodes, llvm::StringSet<> &operators) {
  for (const ::onnx::NodeProto &node : nodes) {
    operators.insert(ExternOperators::key(normalizeDomain(node.domain()), node.op_type()));
    for (const ::onnx::AttributeProto &attribute : node.attribute()) {
      collectOperators(attribute.g().node(), operators);
      for (const ::onnx::GraphProto &graph : attribute.graphs())
        collectOperators(graph.node(), operators);
    }
  }
}

/// Fails with an error if an extern is named that no node has.
LogicalResult expectNamed(const ExternOperators &externs, const ::onnx::ModelProto &model, Location loc) {
  if (externs.named.empty())
    return success();
  llvm::StringSet<> operators;
  collectOperators(model.graph().node(), operators);
  for (const ::onnx::FunctionProto &function : model.functions())
    collectOperators(function.node(), operators);
  for (const std::string &name : externs.named)
    if (!operators.contains(name))
      return emitError(loc) << "--extern-ops: expected operators of the model, got '" << name << "', which no node has";
  return success();
}

/// Resolves an operator of the default domain to its newest version, or to a problem.
ResolvedOperator resolveStandard(StringRef opType, int64_t opset, MLIRContext *context) {
  ResolvedOperator result;
  result.name = ("ai.onnx." + opType + "-" + Twine(opset)).str();
  result.written = findWrittenOperator("", opType);
  result.kind = result.written ? ResolvedOperator::Written : ResolvedOperator::Operation;
  ArrayRef<int> versions = getOperatorVersions(opType);
  std::optional<int> version = getVersionInOpset(opType, opset);
  // ONNX Runtime's optimizer inserts it into models of older operator sets.
  if (!version && opType == "LayerNormalization")
    version = versions.front();
  if (isUnnumberedOperator(opType)) {
    result.version = 1;
    result.name = ("ai.onnx." + opType + "-1").str();
  } else if (versions.empty()) {
    result.problem = kUnknown;
  } else if (!version) {
    result.problem = "operator that was introduced in operator set " + std::to_string(versions.front());
  } else if (*version < 0) {
    result.problem = "operator that operator set " + std::to_string(-*version) + " removed";
  } else {
    result.version = *version;
    result.name = ("ai.onnx." + opType + "-" + Twine(*version)).str();
    // Older operator sets are accepted for operators that did not change until the first supported one.
    if (opset < kFirstOpset && version != getVersionInOpset(opType, kFirstOpset) && !isUpgradable(opType, *version))
      result.problem = "operator that is older than operator set " + std::to_string(kFirstOpset);
    else if (!result.written && !isRewritten(opType) && !hasBodies(opType) && !isOfSequences(opType) &&
             !hasOnnxOperation(context, opType))
      result.problem = kUnsupported;
  }
  return result;
}

/// Resolves an extern operator. Its version is that of the domain, because nothing states its own.
ResolvedOperator resolveExtern(StringRef domain, StringRef opType, const OpsetImports &imported) {
  ResolvedOperator result;
  result.kind = ResolvedOperator::Extern;
  result.name = ((domain.empty() ? StringRef("ai.onnx") : domain) + "." + opType).str();
  auto opset = imported.find(domain);
  if (opset == imported.end())
    result.problem = "operator of a domain that the model does not import";
  else
    result.version = static_cast<int>(opset->second), result.name += "-" + std::to_string(opset->second);
  return result;
}

} // namespace

bool cameo::hasBodies(StringRef opType) {
  return opType == "If" || opType == "Loop" || opType == "Scan" || opType == "SequenceMap";
}

bool cameo::isOfSequences(StringRef opType) {
  static const llvm::StringSet<> types = {"ConcatFromSequence", "Optional",       "OptionalGetElement",
                                          "OptionalHasElement", "SequenceAt",     "SequenceConstruct",
                                          "SequenceEmpty",      "SequenceErase",  "SequenceInsert",
                                          "SequenceLength",     "SplitToSequence"};
  return types.contains(opType);
}

FailureOr<OpsetImports> cameo::readFunctionOpsets(const ::onnx::FunctionProto &function, Location loc) {
  return readOpsets(function.opset_import(), loc);
}

FailureOr<OperatorResolver> OperatorResolver::create(const ::onnx::ModelProto &model, const ExternOperators &externs,
                                                     Location loc) {
  OperatorResolver resolver;
  resolver.externs = externs;
  FailureOr<OpsetImports> opsets = readOpsets(model.opset_import(), loc);
  if (failed(opsets))
    return failure();
  resolver.opsets = std::move(*opsets);
  if (resolver.opsets.empty())
    return emitError(loc) << "expected the operator sets that the model uses, got none";
  if (failed(resolver.addFunctions(model, loc)) || failed(expectNamed(externs, model, loc)))
    return failure();
  return resolver;
}

LogicalResult OperatorResolver::addFunctions(const ::onnx::ModelProto &model, Location loc) {
  for (const ::onnx::FunctionProto &function : model.functions()) {
    std::string key =
        makeKey(function.domain(), function.name(), getUnknownString(function.unknown_fields(), kFunctionOverload));
    if (!functions.try_emplace(key, &function).second)
      return emitError(loc) << "expected one function '" << function.name() << "' of domain '" << function.domain()
                            << "', got two";
  }
  return success();
}

ResolvedOperator OperatorResolver::resolve(const ::onnx::NodeProto &node, const OpsetImports &imported,
                                           MLIRContext *context) const {
  StringRef domain = normalizeDomain(node.domain());
  return externs.isNamed(domain, node.op_type()) ? resolveExtern(domain, node.op_type(), imported)
                                                 : resolveUnnamed(node, imported, context);
}

ResolvedOperator OperatorResolver::resolveUnnamed(const ::onnx::NodeProto &node, const OpsetImports &imported,
                                                  MLIRContext *context) const {
  StringRef domain = normalizeDomain(node.domain());
  auto function =
      functions.find(makeKey(domain, node.op_type(), getUnknownString(node.unknown_fields(), kNodeOverload)));
  if (function != functions.end()) {
    ResolvedOperator result;
    result.function = function->second;
    result.name = (domain + "." + node.op_type()).str();
    if (!imported.contains(domain))
      result.problem = "function of a domain that its caller does not import";
    return result;
  }
  auto opset = imported.find(domain);
  if (domain.empty() && opset != imported.end()) {
    ResolvedOperator standard = resolveStandard(node.op_type(), opset->second, context);
    bool isUnknown = standard.problem == kUnknown || standard.problem == kUnsupported;
    return isUnknown && externs.all ? resolveExtern(domain, node.op_type(), imported) : standard;
  }
  ResolvedOperator result;
  bool isKnown = false;
  result.written = domain.empty() ? nullptr : findWrittenOperator(domain, node.op_type());
  if (result.written && opset != imported.end()) {
    isKnown = opset->second >= 1 && opset->second <= getLastWrittenOpset(domain);
    result.kind = ResolvedOperator::Written;
  } else if (domain == "ai.onnx.preview" && node.op_type() == "FlexAttention" && opset != imported.end()) {
    isKnown = opset->second == 1;
    result.kind = ResolvedOperator::FlexAttention;
  }
  if (!isKnown && opset != imported.end()) {
    result.foreign = findForeignOperation(context, domain, node.op_type());
    isKnown = result.foreign.has_value();
  }
  if (opset == imported.end())
    result.problem = "operator of a domain that the model does not import";
  else if (!isKnown && externs.all)
    return resolveExtern(domain, node.op_type(), imported);
  else if (!isKnown)
    result.problem = kUnsupported,
    result.hint = domain.empty() ? "" : ", which no --plugin provides and --extern-ops does not name";
  else if (int64_t since = result.foreign ? result.foreign->getInterface<cameo::onnx::OnnxOp>()->getSinceVersion() : 0;
           since > opset->second)
    result.problem = "operator that was introduced in operator set " + std::to_string(since);
  else
    result.version = static_cast<int>(opset->second);
  result.name = ((domain.empty() ? StringRef("ai.onnx") : domain) + "." + node.op_type()).str();
  if (opset != imported.end())
    result.name += "-" + std::to_string(opset->second);
  return result;
}
