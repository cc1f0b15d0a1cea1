#include "frontend/Import/Graph/OutputTensors.h"

#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/RunSequence.h"
#include "frontend/Import/Inputs/FlattenInputs.h"

using namespace mlir;
using namespace cameo;

/// Returns the slices as a tensor with one more dimension than an element, the first one.
static FailureOr<Value> stackSlices(OpBuilder &builder, Location loc, const SliceSequence &slices) {
  OperationMaker maker(builder, loc);
  if (slices.sizes)
    return emitError(loc) << "sequences of parts whose number or sizes are known only at run time are not supported as "
                             "outputs of the model, got parts of "
                          << slices.data.getType() << "; ConcatFromSequence makes a tensor of them";
  FailureOr<Value> moved = slices.data;
  if (slices.axis != 0) {
    SmallVector<int64_t> order = {slices.axis};
    for (int64_t axis = 0; axis < cast<RankedTensorType>(slices.data.getType()).getRank(); ++axis)
      if (axis != slices.axis)
        order.push_back(axis);
    moved = maker.make("Transpose", {*moved}, builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(order)));
  }
  if (failed(moved) || !slices.keepsAxis)
    return moved;
  return maker.make("Unsqueeze", {*moved, maker.ints({slices.axis + 1})});
}

FailureOr<SmallVector<OutputTensor>> cameo::findOutputTensors(OpBuilder &builder, Location loc, StringRef name,
                                                              Value value) {
  SmallVector<OutputTensor> tensors;
  std::optional<RunOptional> optional = getRunOptional(value);
  if (optional)
    value = optional->value;
  std::optional<RunSequence> sequence = getRunSequence(value);
  std::optional<SmallVector<Value>> elements = sequence ? sequence->elements : getSequenceElements(value);
  if (std::optional<SliceSequence> slices = getSliceSequence(value)) {
    FailureOr<Value> stacked = stackSlices(builder, loc, *slices);
    if (failed(stacked))
      return failure();
    value = *stacked;
  }
  if (!elements)
    tensors.push_back({name.str(), /*isElement=*/false, value});
  else
    for (auto [number, element] : llvm::enumerate(*elements))
      tensors.push_back({getElementName(name, number), /*isElement=*/true, element});
  if (sequence)
    tensors.push_back({(name + "_length").str(), /*isElement=*/false, sequence->length});
  if (optional)
    tensors.push_back({(name + "_present").str(), /*isElement=*/false, optional->isPresent});
  return tensors;
}
