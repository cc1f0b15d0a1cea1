#include "passes/Lower/Window.h"

using namespace mlir;

namespace cameo::lower {

Shape spatialShape(Shape shape, bool channelsLast) {
  return channelsLast ? shape.drop_front().drop_back() : shape.drop_front(2);
}

Window makeWindow(Shape input, Shape output, Shape kernel, std::optional<Shape> strides, std::optional<Shape> dilations,
                  std::optional<Shape> pads, StringRef autoPad) {
  unsigned rank = kernel.size();
  auto orAll = [&](std::optional<Shape> values, int64_t fallback) {
    return values && values->size() >= rank ? Ints(values->begin(), values->begin() + rank) : Ints(rank, fallback);
  };
  Window window{Ints(input), Ints(output), Ints(kernel), orAll(strides, 1), orAll(dilations, 1), Ints(rank, 0), Ints(rank, 0)};
  if (autoPad.starts_with("SAME")) {
    for (unsigned i = 0; i < rank; ++i) {
      int64_t total = std::max<int64_t>(window.overhang(i), 0);
      window.padBegin[i] = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
      window.padEnd[i] = total - window.padBegin[i];
    }
  } else if (autoPad != "VALID" && pads && pads->size() == 2 * rank) {
    window.padBegin.assign(pads->begin(), pads->begin() + rank);
    window.padEnd.assign(pads->begin() + rank, pads->end());
  }
  return window;
}

Value padForWindow(GenericBuilder &b, Value input, const Window &window, unsigned first, TypedAttr value) {
  Ints low(rankOf(input), 0), high(rankOf(input), 0);
  for (unsigned i = 0; i < window.rank(); ++i) {
    low[first + i] = window.padBegin[i];
    high[first + i] = std::max<int64_t>(window.overhang(i), 0);
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
