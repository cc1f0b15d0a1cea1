#include "passes/Schedule/Nests/Size.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using cameo::onnx::Dim;

namespace cameo::schedule {

/// Products of a few of these fit into 64 bits.
constexpr double mostEstimated = 1e12;

static double estimate(const Dim &dim) {
  if (dim.isStatic())
    return static_cast<double>(dim.getSize());
  double sum = 0;
  std::vector<onnx::DimTerm> terms = *onnx::getTerms(dim);
  for (const onnx::DimTerm &term : terms) {
    double product = static_cast<double>(term.coefficient);
    for (const onnx::DimAtom &atom : term.atoms)
      product *= !atom.name.empty()  ? estimatedSize
                 : atom.divisor == 0 ? std::min(estimate(atom.dividend), 0.0)
                                     : std::floor(estimate(atom.dividend) / static_cast<double>(atom.divisor));
    sum += product;
  }
  return sum;
}

Size::Size(const Dim &dim) {
  Dim spelled = dim + Dim(0); // equal sizes have one spelling
  expression = spelled.getName();
  number = !expression ? spelled.getSize() : static_cast<int64_t>(std::clamp(estimate(spelled), 2.0, mostEstimated));
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
