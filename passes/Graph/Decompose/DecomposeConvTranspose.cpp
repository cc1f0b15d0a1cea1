// Transposed convolutions with large strides, such as the ends of vocoders, become convolutions whose channels are the
// elements of a stride: for a kernel of `taps * stride`, element t * stride + r of a result is the sum over j < taps of
// x[t - j] * w[j * stride + r]. Lowering has one convolution for each phase r instead, which is faster for few phases.
#include "passes/Graph/Decompose/DecomposePatterns.h"
#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Onnx/DimList.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::graph {
namespace {

using Sizes = SmallVector<int64_t>;

/// Replaces a ConvTranspose of more phases than lowering has loops for, which would insert zeros between the input's
/// elements.
struct StridesToChannels : OpRewritePattern<onnx::ConvTransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConvTransposeOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::DimList> input = onnx::getDims(op.getX()), filter = onnx::getDims(op.getW());
    std::optional<ArrayRef<int64_t>> strides = op.getStrides();
    auto isStatic = [](const Dim &dim) { return dim.isStatic(); };
    auto isEmpty = [](const Dim &dim) { return dim == 0; };
    if (!input || !filter || !strides || llvm::product_of(*strides) <= op.maxPhases || op.getChannelsLast() ||
        op.getAutoPad() != "NOTSET" || op.getOutputShape() || !llvm::all_of(*filter, isStatic) ||
        (strides->size() > 1 && !llvm::all_of(*input, isStatic)) || // one size can be inferred by Reshape
        llvm::any_of(*input, isEmpty) ||                            // 0 keeps a dimension in Reshape
        llvm::any_of(op.getDilations().value_or(ArrayRef<int64_t>()), [](int64_t each) { return each != 1; }))
      return failure();
    int64_t rank = strides->size(), groups = op.getGroup();
    Sizes kernel, taps, pads(2 * rank, 0), behind(rank, 0);
    if (std::optional<ArrayRef<int64_t>> stated = op.getPads())
      pads.assign(stated->begin(), stated->end());
    if (std::optional<ArrayRef<int64_t>> stated = op.getOutputPadding())
      behind.assign(stated->begin(), stated->end());
    for (int64_t axis = 0; axis < rank; ++axis) {
      kernel.push_back((*filter)[2 + axis].getSize());
      taps.push_back(llvm::divideCeil(kernel[axis] + behind[axis], (*strides)[axis]));
    }
    OnnxBuilder b(rewriter, op.getLoc());
    Value x = convolve(b, op, taps, kernel);
    // The elements of the strides leave the channels.
    Sizes split = {0, (*filter)[1].getSize() * groups}, perm = {0, 1}, joined = {0, 0};
    split.append(strides->begin(), strides->end());
    for (int64_t axis = 0; axis < rank; ++axis) {
      const Dim &extent = (*input)[2 + axis];
      int64_t windows = extent.isStatic() ? extent.getSize() + taps[axis] - 1 : -1;
      split.push_back(windows);
      perm.append({2 + rank + axis, 2 + axis});
      joined.push_back(extent.isStatic() ? windows * (*strides)[axis] : -1);
    }
    x = b.reshape(b.transpose(b.reshape(x, split), perm), joined);
    Sizes axes, begins, ends;
    for (int64_t axis = 0; axis < rank; ++axis) {
      int64_t cropped = taps[axis] * (*strides)[axis] - kernel[axis] - behind[axis] + pads[rank + axis];
      axes.push_back(2 + axis);
      begins.push_back(pads[axis]);
      ends.push_back(cropped == 0 ? std::numeric_limits<int64_t>::max() : -cropped);
    }
    x = b.make<onnx::SliceOp>({x, b.ints(begins), b.ints(ends), b.ints(axes)});
    // The sizes of the op are those of the slice, and lose nothing to bounds that the slice alone would have to check.
    x.setType(op.getType());
    rewriter.replaceOp(op, x);
    return success();
  }

private:
  static Value convolve(OnnxBuilder &b, onnx::ConvTransposeOp op, ArrayRef<int64_t> taps, ArrayRef<int64_t> kernel);
};

/// Creates the convolution, with an output channel for each channel and element of a stride.
Value StridesToChannels::convolve(OnnxBuilder &b, onnx::ConvTransposeOp op, ArrayRef<int64_t> taps,
                                  ArrayRef<int64_t> kernel) {
  ArrayRef<int64_t> strides = *op.getStrides();
  int64_t rank = strides.size(), groups = op.getGroup(), phases = llvm::product_of(strides);
  onnx::DimList filter = *onnx::getDims(op.getW());
  int64_t inputs = filter[0].getSize() / groups, outputs = filter[1].getSize();
  Value w = op.getW();
  Type element = getElementTypeOrSelf(w.getType());
  // Zeros complete the last tap.
  for (int64_t axis = 0; axis < rank; ++axis) {
    Sizes missing(cast<RankedTensorType>(w.getType()).getShape());
    missing[2 + axis] = taps[axis] * strides[axis] - kernel[axis];
    if (missing[2 + axis] == 0)
      continue;
    auto type = RankedTensorType::get(missing, element);
    std::vector<char> zeros(type.getNumElements() * onnx::getElementBytes(element));
    w = b.concat({w, onnx::makeConstant(b, b.getLoc(), type, std::move(zeros))}, 2 + axis);
  }
  // From group, input, output, (tap, element of stride)... to group, output, element of stride..., input, tap...
  Sizes split = {groups, inputs, outputs}, perm = {0, 2}, axes, ends(rank, std::numeric_limits<int64_t>::min());
  for (int64_t axis = 0; axis < rank; ++axis) {
    split.append({taps[axis], strides[axis]});
    perm.push_back(4 + 2 * axis);
    axes.push_back(3 + 2 * axis);
  }
  perm.push_back(1);
  perm.append(axes);
  w = b.reshape(w, split);
  w = b.make<onnx::SliceOp>({w, b.ints(Sizes(rank, -1)), b.ints(ends), b.ints(axes), b.ints(Sizes(rank, -1))});
  Sizes joined = {groups * outputs * phases, inputs}, pads;
  joined.append(taps.begin(), taps.end());
  w = b.reshape(b.transpose(w, perm), joined);
  Value bias = op.getB();
  if (!onnx::isAbsent(bias)) {
    bias = b.make<onnx::ExpandOp>({b.unsqueeze(bias, 1), b.ints({groups * outputs, phases})});
    bias = b.reshape(bias, {groups * outputs * phases});
  }
  for (int64_t side = 0; side < 2; ++side)
    for (int64_t tap : taps)
      pads.push_back(tap - 1);
  return b.make<onnx::ConvOp>({op.getX(), w, bias}, {b.attr("group", groups), b.attr("kernel_shape", taps),
                                                     b.attr("pads", pads), b.attr("strides", Sizes(rank, 1))});
}

} // namespace

void populateDecomposeConvTransposePatterns(RewritePatternSet &patterns) {
  patterns.add<StridesToChannels>(patterns.getContext());
}

} // namespace cameo::graph
