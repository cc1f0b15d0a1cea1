#include "frontend/Import/Graph/AppendedSequences.h"

#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/OperationMaker.h"

#include "llvm/ADT/StringSet.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

/// Returns the number of operands of nodes that are this value. A node whose subgraphs use it counts once more.
static unsigned countUses(const ::onnx::GraphProto &body, StringRef name) {
  unsigned count = 0;
  for (const ::onnx::NodeProto &node : body.node()) {
    count += llvm::count(node.input(), name);
    llvm::StringSet<> captured;
    GraphImporter::collectCaptured(node, captured);
    count += captured.contains(name);
  }
  return count;
}

/// Whether one node computes `after` by appending to `before`, and the body uses neither value otherwise.
static bool isAppended(const ::onnx::GraphProto &body, StringRef before, StringRef after) {
  auto returns = [&](StringRef name) {
    return llvm::count_if(body.output(), [&](const ::onnx::ValueInfoProto &output) { return output.name() == name; });
  };
  auto insert = llvm::find_if(body.node(), [&](const ::onnx::NodeProto &node) {
    return node.op_type() == "SequenceInsert" && node.output_size() == 1 && node.output(0) == after;
  });
  return insert != body.node().end() && insert->input_size() >= 2 && insert->input(0) == before &&
         (insert->input_size() == 2 || insert->input(2).empty()) && countUses(body, before) == 1 &&
         countUses(body, after) == 0 && returns(before) == 0 && returns(after) == 1;
}

AppendedSequences::AppendedSequences(const ::onnx::GraphProto &body, ArrayRef<Value> carried) {
  for (auto [number, value] : llvm::enumerate(carried)) {
    std::optional<SmallVector<Value>> elements = getSequenceElements(value);
    int input = number + 2, output = number + 1;
    if (elements && elements->empty() && input < body.input_size() && output < body.output_size() &&
        isAppended(body, body.input(input).name(), body.output(output).name()))
      numbers.push_back(number);
  }
}

SmallVector<Value> AppendedSequences::addEmpty(OpBuilder &builder, Location loc, ArrayRef<Value> values,
                                               unsigned leading) const {
  SmallVector<Value> all(values);
  for (unsigned number : numbers)
    all.insert(all.begin() + leading + number, OperationMaker(builder, loc).sequence(ArrayRef<Value>()));
  return all;
}

SmallVector<Value> AppendedSequences::takeElements(ArrayRef<Value> results, unsigned leading) const {
  SmallVector<Value> taken;
  for (auto [number, value] : llvm::enumerate(results))
    if (number < leading || !contains(number - leading))
      taken.push_back(value);
  for (unsigned number : numbers)
    taken.push_back(getSequenceElements(results[leading + number])->front());
  return taken;
}

SmallVector<Value> AppendedSequences::makeSequences(OpBuilder &builder, Location loc, ArrayRef<Value> results) const {
  SmallVector<Value> all(results.drop_back(size()));
  for (auto [number, stacked] : llvm::zip_equal(numbers, results.take_back(size())))
    all.insert(all.begin() + number,
               OperationMaker(builder, loc).sequence(SliceSequence{stacked, /*axis=*/0, /*keepsAxis=*/false}));
  return all;
}
