// Imports SequenceMap: the body is imported for each element, or as a loop over slices.
#include "frontend/Import/Graph/BranchChoice.h"
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/GuardValue.h"
#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/RunSequence.h"

#include "dialects/Onnx/ConstantData.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

GraphImporter::Results GraphImporter::importSequenceMap(const ::onnx::NodeProto &node, ArrayRef<Value> operands,
                                                        Location loc, const Scope &scope, StringRef path,
                                                        unsigned index) {
  FailureOr<const ::onnx::GraphProto *> body = getSubgraph(node, "body", loc);
  if (failed(body))
    return failure();
  if (llvm::any_of(operands, [](Value operand) { return getSliceSequence(operand).has_value(); }))
    return importSliceMap(node, **body, operands, loc, scope, index);
  std::optional<size_t> count;
  Value length; // of a sequence whose length the run decides
  NodeDraft draft{builder, loc, node.op_type(), /*version=*/0, {}, {}, {}, {}};
  NodeWriter w(draft);
  auto name = [&](unsigned output, int64_t axis) {
    bool isNamed = static_cast<int>(output) < node.output_size() && !node.output(output).empty();
    return nameSize(isNamed ? StringRef(node.output(output)) : path.rtrim('/'), axis, scope);
  };
  SmallVector<std::optional<SmallVector<Value>>> lists;
  for (Value operand : operands) {
    std::optional<RunSequence> counted = getRunSequence(operand);
    lists.push_back(counted ? counted->elements : getSequenceElements(operand));
    if (!lists.back())
      continue;
    if (count && *count != lists.back()->size() && !length && !counted)
      return emitError(loc) << "expected sequences of " << *count << " elements, got one of " << lists.back()->size();
    Value own = counted ? counted->length : w.scalar(lists.back()->size());
    if (length || (counted && count)) {
      Value first = length ? length : w.scalar(*count);
      FailureOr<Value> equal = guardValue(draft, first, w.make("Equal", {first, own}), /*required=*/true,
                                          name(operands.size(), std::numeric_limits<int64_t>::max()));
      if (failed(equal))
        return failure();
      length = *equal;
    } else if (counted) {
      length = own;
    }
    count = std::min(count.value_or(lists.back()->size()), lists.back()->size());
  }
  if (lists.empty() || !lists.front())
    return emitError(loc) << "expected a sequence";
  SmallVector<SmallVector<Value>> made((*body)->output_size());
  for (size_t number = 0; number < *count; ++number) {
    SmallVector<Value> inputs;
    for (auto [list, operand] : llvm::zip_equal(lists, operands))
      inputs.push_back(list ? (*list)[number] : operand);
    // What is behind the end of the sequence is not mapped.
    std::optional<BranchChoice> choice;
    if (length)
      choice.emplace(draft, w.make("Less", {w.scalar(number), length}), name);
    Results results = importBody(**body, inputs, loc, scope, path, index);
    if (failed(results))
      return failure();
    for (auto [output, value] : llvm::enumerate(*results)) {
      FailureOr<Value> kept = choice ? choice->keepOne(output, value, /*isTrue=*/true) : value;
      if (failed(kept))
        return failure();
      made[output].push_back(*kept);
    }
  }
  SmallVector<Value> results;
  for (ArrayRef<Value> list : made)
    results.push_back(length ? makeRunSequence(builder, loc, {SmallVector<Value>(list), length})
                             : OperationMaker(builder, loc).sequence(list));
  return results;
}

GraphImporter::Results GraphImporter::importSliceMap(const ::onnx::NodeProto &node, const ::onnx::GraphProto &body,
                                                     ArrayRef<Value> operands, Location loc, const Scope &scope,
                                                     unsigned index) {
  if (body.input_size() != static_cast<int>(operands.size()))
    return emitError(loc) << "expected a body of " << operands.size() << " inputs, got " << body.input_size();
  // No name of a model ends like these.
  auto make = [&](StringRef what, int number = 0) {
    return (what + " of the map " + node.output(0) + " " + Twine(number)).str();
  };
  auto add = [](::onnx::NodeProto &made, StringRef type, ArrayRef<std::string> inputs, StringRef output) {
    made.set_op_type(type.str());
    for (const std::string &input : inputs)
      made.add_input(input);
    made.add_output(output.str());
  };
  auto addNode = [&]() -> ::onnx::NodeProto & {
    return *writtenNodes.emplace_back(std::make_shared<::onnx::NodeProto>());
  };
  size_t first = writtenNodes.size();
  add(addNode(), "SequenceLength", {node.input(0)}, make("length"));
  for (int output = 0; output < body.output_size(); ++output)
    add(addNode(), "SequenceEmpty", {}, make("empty", output));
  ::onnx::NodeProto &loop = addNode();
  loop.set_name(node.name());
  loop.set_op_type("Loop");
  loop.add_input(make("length"));
  loop.add_input("");
  ::onnx::AttributeProto &attribute = *loop.add_attribute();
  attribute.set_name("body");
  attribute.set_type(::onnx::AttributeProto::GRAPH);
  ::onnx::GraphProto &inner = *attribute.mutable_g();
  inner.add_input()->set_name(make("number"));
  inner.add_input()->set_name(make("condition"));
  inner.add_output()->set_name(make("next"));
  add(*inner.add_node(), "Identity", {make("condition")}, make("next"));
  for (auto [number, operand] : llvm::enumerate(operands)) {
    const std::string &name = body.input(number).name();
    if (isa<TupleType>(operand.getType()))
      add(*inner.add_node(), "SequenceAt", {node.input(number), make("number")}, name);
    else
      add(*inner.add_node(), "Identity", {node.input(number)}, name);
  }
  inner.mutable_node()->MergeFrom(body.node());
  inner.mutable_initializer()->MergeFrom(body.initializer());
  inner.mutable_sparse_initializer()->MergeFrom(body.sparse_initializer());
  for (int output = 0; output < body.output_size(); ++output) {
    loop.add_input(make("empty", output));
    loop.add_output(make("mapped", output));
    inner.add_input()->set_name(make("before", output));
    inner.add_output()->set_name(make("after", output));
    add(*inner.add_node(), "SequenceInsert", {make("before", output), body.output(output).name()},
        make("after", output));
  }
  Scope around = scope.inside();
  for (size_t number = first, last = writtenNodes.size(); number < last; ++number)
    if (failed(importNode(*writtenNodes[number], loc, around, index)))
      return failure();
  SmallVector<Value> results;
  for (const std::string &output : loop.output())
    results.push_back(around.values.lookup(output));
  return results;
}
