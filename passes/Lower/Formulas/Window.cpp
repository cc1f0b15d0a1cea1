#include "passes/Lower/Formulas/Window.h"

#include "passes/Lower/LoweringTable.h"

#include "dialects/Dim/DimLimits.h"

using namespace mlir;

namespace cameo::lower {

Shape spatialShape(ShapeRef shape, bool channelsLast) {
  return Shape(channelsLast ? shape.drop_front().drop_back() : shape.drop_front(2));
}

int64_t Window::roomBehind(unsigned i) const {
  if (Dim needed = overhang(i); needed.isStatic())
    return std::max<int64_t>(needed.getSize(), 0);
  return padEnd[i] + (roundsUp ? strides[i] - 1 : 0);
}

FailureOr<Window> makeWindow(Operation *op, ShapeRef input, ShapeRef output, ShapeRef kernel,
                             const WindowAttributes &attributes) {
  unsigned rank = kernel.size();
  auto orAll = [&](std::optional<IntsRef> values, int64_t fallback) {
    return values && values->size() >= rank ? Ints(values->begin(), values->begin() + rank) : Ints(rank, fallback);
  };
  Window window{
      Shape(input),   Shape(output), Shape(kernel),      orAll(attributes.strides, 1), orAll(attributes.dilations, 1),
      Shape(rank, 0), Ints(rank, 0), attributes.roundsUp};
  if (attributes.autoPad.starts_with("SAME")) {
    if (failed(expectStatic(op, kernel, "a window with its own padding")))
      return failure();
    for (unsigned i = 0; i < rank; ++i) {
      Dim total = window.overhang(i);
      int64_t extent = (window.kernel[i].getSize() - 1) * window.dilations[i] + 1;
      // There are ceil(input / stride) windows, so the total is at least extent - stride and at most extent - 1.
      if (extent == 1)
        total = 0;
      if (extent < window.strides[i] || total.isStatic())
        total = maxDims(total, 0);
      Dim half = total / 2;
      window.padBegin[i] = attributes.autoPad == "SAME_UPPER" ? half : total - half;
      Dim end = total - window.padBegin[i];
      window.padEnd[i] = end.isStatic() ? end.getSize() : extent / 2;
    }
  } else if (attributes.autoPad != "VALID" && attributes.pads && attributes.pads->size() == 2 * rank) {
    window.padBegin = toShape(attributes.pads->take_front(rank));
    window.padEnd.assign(attributes.pads->begin() + rank, attributes.pads->end());
  }
  return window;
}

Value adoptKernel(GenericBuilder &b, Value filter, const Window &window) {
  Shape shape = shapeOf(filter);
  llvm::copy(window.kernel, shape.begin() + 2);
  return b.castTo(filter, shape);
}

Value padForWindow(GenericBuilder &b, Value input, const Window &window, unsigned first, TypedAttr value) {
  Shape low(rankOf(input), 0), high(rankOf(input), 0);
  for (unsigned i = 0; i < window.rank(); ++i) {
    low[first + i] = window.padBegin[i];
    high[first + i] = window.roomBehind(i);
  }
  return b.pad(input, low, high, value);
}

Exprs windowIndex(GenericBuilder &b, const Window &window, unsigned firstOutputDim, unsigned firstKernelDim) {
  Exprs index;
  for (unsigned i = 0; i < window.rank(); ++i)
    index.push_back(b.dim(firstOutputDim + i) * window.strides[i] + b.dim(firstKernelDim + i) * window.dilations[i]);
  return index;
}

} // namespace cameo::lower
