#include "passes/Schedule/Nests/Size.h"

#include "dialects/Dim/DimLimits.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using cameo::Dim;

namespace cameo::schedule {

/// The upper bound of an estimate: products of a few estimates still fit into 64 bits.
constexpr double mostEstimated = 1e12;

/// Another size for what the estimated size leaves nothing of: a division by 16, 32 or 64 leaves half of it or more.
constexpr int64_t otherSize = 184;

static int64_t estimate(const Dim &dim) {
  double value = estimateDim(dim);
  return static_cast<int64_t>(std::clamp(value > 0 ? value : estimateDim(dim, otherSize), 2.0, mostEstimated));
}

Size::Size(const Dim &dim) : number(dim.isNamed() ? estimate(dim) : dim.getSize()), expression(dim.getExpr()) {}

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
  return Size(exactDivDims(a.exact(), b.exact()));
}

Size countPieces(const Size &extent, int64_t size) {
  return extent.isKnown() ? Size(llvm::divideCeil(int64_t(extent), size)) : Size((extent + (size - 1)).exact() / size);
}

Size countWholePieces(const Size &extent, int64_t size) {
  return extent.isKnown() ? Size(int64_t(extent) / size) : Size(extent.exact() / size);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Size &size) {
  if (size.isUnknown())
    return os << '?';
  if (!size.getExpression())
    return os << int64_t(size);
  std::string text = size.getExpression().getText();
  bool isName = llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return isName ? os << text : os << '(' << text << ')';
}

} // namespace cameo::schedule
