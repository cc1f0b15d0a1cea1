#include "passes/Schedule/Nests/Size.h"

#include "dialects/Onnx/DimLimits.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using cameo::onnx::Dim;

namespace cameo::schedule {

/// Products of a few of these fit into 64 bits.
constexpr double mostEstimated = 1e12;

Size::Size(const Dim &dim) {
  Dim spelled = dim + Dim(0); // equal sizes have one spelling
  expression = spelled.getName();
  number = !expression ? spelled.getSize()
                       : static_cast<int64_t>(std::clamp(estimateDim(spelled, estimatedSize), 2.0, mostEstimated));
}

Size operator+(const Size &a, const Size &b) {
  return a.isKnown() && b.isKnown() ? Size(a.number + b.number) : Size(a.exact() + b.exact());
}

Size operator-(const Size &a, const Size &b) {
  return a.isKnown() && b.isKnown() ? Size(a.number - b.number) : Size(a.exact() - b.exact());
}

Size operator*(const Size &a, const Size &b) {
  return a.isKnown() && b.isKnown() ? Size(a.number * b.number) : Size(a.exact() * b.exact());
}

Size divideExactly(const Size &a, const Size &b) {
  if (a.isKnown() && b.isKnown())
    return b.number != 0 && a.number % b.number == 0 ? Size(a.number / b.number) : Size(Dim::unknown());
  return Size(onnx::exactDivDims(a.exact(), b.exact()));
}

Size countPieces(const Size &extent, int64_t size) {
  return extent.isKnown() ? Size(llvm::divideCeil(int64_t(extent), size)) : Size((extent + (size - 1)).exact() / size);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Size &size) {
  if (size.isUnknown())
    return os << '?';
  if (!size.getExpression())
    return os << int64_t(size);
  bool isName = llvm::all_of(size.getExpression().getValue(), [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return isName ? os << size.getExpression().getValue() : os << '(' << size.getExpression().getValue() << ')';
}

} // namespace cameo::schedule
