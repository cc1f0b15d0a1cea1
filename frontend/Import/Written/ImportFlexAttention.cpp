// Imports FlexAttention of ai.onnx.preview, attention with graphs of the model between its steps. The graphs are
// inlined.
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Model/NodeLocation.h"
#include "frontend/Import/Written/NodeWriter.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/ElementTypes.h"

#include <onnx/onnx_pb.h>

#include <cmath>

using namespace mlir;
using namespace cameo;

namespace {

/// The attributes of a node.
struct FlexAttributes {
  std::optional<float> scale;
  Type precision; ///< element type of scores and probabilities
  const ::onnx::GraphProto *scoreMod = nullptr, *probMod = nullptr;
};

FailureOr<FlexAttributes> readAttributes(const ::onnx::NodeProto &node, Type element, Location loc) {
  FlexAttributes attributes;
  attributes.precision = element.isF64() ? element : Float32Type::get(loc.getContext());
  for (const ::onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.name() == "scale")
      attributes.scale = attribute.f();
    else if (attribute.name() == "score_mod")
      attributes.scoreMod = &attribute.g();
    else if (attribute.name() == "prob_mod")
      attributes.probMod = &attribute.g();
    else if (attribute.name() == "softmax_precision")
      attributes.precision = cameo::onnx::getElementTypeOf(loc.getContext(), attribute.i());
    else
      return emitError(loc) << "unknown attribute '" << attribute.name() << "' of operator FlexAttention";
  }
  Type precision = attributes.precision;
  if (!precision || !(precision.isF16() || precision.isBF16() || precision.isF32() || precision.isF64()))
    return emitError(loc) << "expected 'softmax_precision' to be an ONNX floating-point type";
  return attributes;
}

/// Returns the scores of queries and keys, which have shape [batch, heads, length, size]. The queries of heads that
/// share keys become rows of one product.
Value writeScores(NodeWriter &w, Value q, Value k, const FlexAttributes &attributes, int64_t heads,
                  int64_t sharedHeads) {
  Type type = attributes.precision;
  q = w.cast(q, type);
  cameo::Dim size = cameo::onnx::getDims(w.operand(0))->back();
  if (attributes.scale || size.isStatic())
    q = w.make("Mul",
               {q, w.number(attributes.scale ? *attributes.scale : 1 / std::sqrt(double(size.getSize())), type)});
  else
    q = w.make("Div", {q, w.make("Sqrt", w.cast(w.make("Shape", q, {w.attr("start", 3), w.attr("end", 4)}), type))});
  if (heads != sharedHeads)
    q = w.make("Reshape", {q, w.ints({0, sharedHeads, -1, 0})});
  Value keys = w.make("Transpose", w.cast(k, type), w.attr("perm", {0, 1, 3, 2}));
  Value scores = w.make("MatMul", {q, keys});
  return heads == sharedHeads ? scores : w.make("Reshape", {scores, w.ints({0, heads, -1, 0})});
}

} // namespace

LogicalResult GraphImporter::importFlexAttention(const ::onnx::NodeProto &node, Location loc, Scope &scope,
                                                 unsigned index) {
  if (node.input_size() != 3 || node.output_size() != 1)
    return emitError(loc) << "expected 3 inputs and 1 output, got " << node.input_size() << " and "
                          << node.output_size();
  NodeDraft draft{builder, loc, node.op_type(), 1, {}, {}, {}, {}};
  for (const std::string &name : node.input()) {
    FailureOr<Value> operand = getOperand(name, loc, scope);
    if (failed(operand))
      return failure();
    draft.operands.push_back(*operand);
  }
  NodeWriter w(draft);
  SmallVector<cameo::onnx::DimList> dims;
  for (Value operand : draft.operands) {
    std::optional<cameo::onnx::DimList> shape = cameo::onnx::getDims(operand);
    w.expect(shape && shape->size() == 4 && isa<FloatType>(w.elementOf(operand)),
             "expected inputs of floats of rank 4");
    if (w.hasFailed())
      return failure();
    dims.push_back(*shape);
  }
  int64_t heads = dims[0][1].getSize(), sharedHeads = dims[1][1].getSize();
  bool isShared = dims[0][1] != dims[1][1];
  w.expect(!isShared || (dims[0][1].isStatic() && dims[1][1].isStatic() && sharedHeads > 0 && heads % sharedHeads == 0),
           "expected a number of query heads that is a multiple of the others");
  Type element = w.elementOf(draft.operands[0]);
  FailureOr<FlexAttributes> attributes = readAttributes(node, element, loc);
  if (w.hasFailed() || failed(attributes))
    return failure();
  if (!isShared)
    heads = sharedHeads;
  std::string path = scope.path + getNodeName(node.name(), index, node.op_type()) + "/";
  // Inlines a graph with one input and one output of the same type. It sees the values around the node.
  auto apply = [&](const ::onnx::GraphProto *graph, Value value) -> FailureOr<Value> {
    if (!graph || !value)
      return value;
    Results results = importBody(*graph, value, loc, scope, path, index);
    if (failed(results))
      return failure();
    if (results->size() != 1 || results->front().getType() != value.getType())
      return emitError(loc) << "expected a graph that gives " << value.getType() << ", got another result";
    return results->front();
  };
  Value raw = writeScores(w, draft.operands[0], draft.operands[1], *attributes, heads, sharedHeads);
  FailureOr<Value> scores = apply(attributes->scoreMod, raw);
  if (failed(scores))
    return failure();
  FailureOr<Value> weights = apply(attributes->probMod, w.make("Softmax", *scores, w.attr("axis", -1)));
  if (failed(weights) || w.hasFailed())
    return failure();
  if (isShared)
    weights = w.make("Reshape", {*weights, w.ints({0, sharedHeads, -1, 0})});
  Value y = w.make("MatMul", {*weights, w.cast(draft.operands[2], attributes->precision)});
  if (isShared)
    y = w.make("Reshape", {y, w.ints({0, heads, -1, 0})});
  y = w.cast(y, element);
  return w.hasFailed() ? failure() : bindOutput(node.output(0), y, loc, scope);
}
