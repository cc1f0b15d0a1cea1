#include "frontend/Import/Inputs/MapInput.h"

#include "frontend/Import/Written/WrittenOperators.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

#include <onnx/onnx_pb.h>

#include <set>

using namespace mlir;
using namespace cameo;

namespace {

/// Limit of keys, because the header lists all of them.
constexpr int64_t kMostKeys = 1 << 20;

const ::onnx::AttributeProto *findAttribute(const ::onnx::NodeProto &node, StringRef name) {
  auto found = llvm::find_if(node.attribute(),
                             [&](const ::onnx::AttributeProto &attribute) { return attribute.name() == name; });
  return found == node.attribute().end() ? nullptr : &*found;
}

/// The keys of a map as far as the nodes that use it state them.
struct Keys {
  std::set<int64_t> integers;
  std::set<std::string> strings;
  bool hasReader = false, isByOrder = false;

  void addVocabulary(const ::onnx::NodeProto &node) {
    if (const ::onnx::AttributeProto *given = findAttribute(node, "int64_vocabulary"))
      integers.insert(given->ints().begin(), given->ints().end());
    if (const ::onnx::AttributeProto *given = findAttribute(node, "string_vocabulary"))
      strings.insert(given->strings().begin(), given->strings().end());
  }

  void addPlaces(const ::onnx::NodeProto &node) {
    const ::onnx::AttributeProto *form = findAttribute(node, "map_form"), *most = findAttribute(node, "max_map");
    isByOrder |= !form || form->s() != "SPARSE";
    if (form && form->s() == "SPARSE")
      for (int64_t key = 0, end = std::min(most ? most->i() : 1, kMostKeys + 1); key < end; ++key)
        integers.insert(key);
  }
};

/// Adds what the nodes of `graph` and of its bodies state about the keys of the map `name`. Appends names that are
/// given to the same map.
void collectKeys(const ::onnx::GraphProto &graph, StringRef name, Keys &keys, std::vector<StringRef> &names) {
  for (const ::onnx::NodeProto &node : graph.node()) {
    for (const ::onnx::AttributeProto &attribute : node.attribute()) {
      if (attribute.has_g())
        collectKeys(attribute.g(), name, keys, names);
      for (const ::onnx::GraphProto &body : attribute.graphs())
        collectKeys(body, name, keys, names);
    }
    if (!llvm::is_contained(node.input(), name))
      continue;
    bool isMl = node.domain() == kMlDomain;
    if (node.op_type() == "Identity" && !isMl && node.output_size() == 1 && !llvm::is_contained(names, node.output(0)))
      names.push_back(node.output(0));
    if (isMl && node.op_type() == "DictVectorizer") {
      keys.hasReader = true;
      keys.addVocabulary(node);
    } else if (isMl && node.op_type() == "CastMap") {
      keys.hasReader = true;
      keys.addPlaces(node);
    }
  }
}

Keys collectKeys(const ::onnx::GraphProto &graph, StringRef name) {
  Keys keys;
  std::vector<StringRef> names = {name};
  for (size_t index = 0; index < names.size(); ++index)
    collectKeys(graph, names[index], keys, names);
  return keys;
}

} // namespace

FailureOr<Attribute> cameo::findMapKeys(const ::onnx::GraphProto &graph, StringRef name, const ::onnx::TypeProto &type,
                                        Location loc) {
  Keys keys = collectKeys(graph, name);
  if (!keys.hasReader)
    return emitError(loc)
           << "expected a map that is an input of DictVectorizer or CastMap, whose attributes define its keys";
  if (type.map_type().value_type().tensor_type().shape().dim_size() != 0)
    return emitError(loc) << "expected a map whose values are scalars";
  bool isOfStrings = type.map_type().key_type() == ::onnx::TensorProto::STRING;
  if (!isOfStrings && type.map_type().key_type() != ::onnx::TensorProto::INT64)
    return emitError(loc) << "expected a map whose keys are strings or 64-bit integers";
  if (isOfStrings ? !keys.integers.empty() || keys.isByOrder : !keys.strings.empty())
    return emitError(loc) << "expected nodes whose keys have the key type of this map, "
                          << (isOfStrings ? "strings" : "integers");
  size_t count = keys.integers.size() + keys.strings.size();
  if (keys.isByOrder && count != 0)
    return emitError(loc) << "a map whose nodes use both keys and the order of keys is not supported";
  if (!keys.isByOrder && (count == 0 || count > kMostKeys))
    return emitError(loc) << "expected nodes with 1 to " << kMostKeys << " keys for this map, got "
                          << (count == 0 ? "none" : "more");
  MLIRContext *context = loc.getContext();
  if (!isOfStrings)
    return Attribute(DenseI64ArrayAttr::get(context, SmallVector<int64_t>(keys.integers.begin(), keys.integers.end())));
  auto words = llvm::map_to_vector(
      keys.strings, [&](const std::string &string) { return Attribute(StringAttr::get(context, string)); });
  return Attribute(ArrayAttr::get(context, words));
}

int64_t cameo::countKeys(Attribute keys) {
  auto integers = dyn_cast<DenseI64ArrayAttr>(keys);
  int64_t count = integers ? integers.size() : cast<ArrayAttr>(keys).size();
  return count ? count : ShapedType::kDynamic;
}
