#include "dialects/Onnx/DimLimits.h"

#include <cmath>

using namespace mlir;
using namespace cameo::onnx;

bool cameo::onnx::isNeverNegative(const Dim &dim) {
  std::optional<std::vector<DimTerm>> terms = getTerms(dim);
  return terms && llvm::all_of(*terms, [](const DimTerm &term) {
    return term.coefficient >= 0 && llvm::all_of(term.atoms, [](const DimAtom &atom) {
      return !atom.name.empty() || (atom.divisor > 0 && isNeverNegative(atom.dividend));
    });
  });
}

Dim cameo::onnx::minDims(const Dim &a, const Dim &b) {
  if (a.isStatic() && b.isStatic())
    return std::min(a.getSize(), b.getSize());
  Dim difference = subDims(a, b);
  if (difference.isUnknown())
    return difference;
  if (isNeverNegative(difference))
    return b;
  if (isNeverNegative(subDims(b, a)))
    return a;
  // One spelling in either order: against the number, or the name that is first in the alphabet.
  if (a.isStatic() || (b.isNamed() && a.getName().getValue() < b.getName().getValue()))
    return minDims(b, a);
  std::string text = ("min(" + difference.getName().getValue() + ", 0)").str();
  return addDims(b, Dim::named(StringAttr::get(difference.getName().getContext(), text)));
}

Dim cameo::onnx::maxDims(const Dim &a, const Dim &b) { return subDims(addDims(a, b), minDims(a, b)); }

double cameo::onnx::estimateDim(const Dim &dim, double size) {
  double sum = 0;
  for (const DimTerm &term : getTerms(dim).value_or(std::vector<DimTerm>())) {
    double product = static_cast<double>(term.coefficient);
    for (const DimAtom &atom : term.atoms)
      product *= !atom.name.empty()  ? size
                 : atom.divisor == 0 ? std::min(estimateDim(atom.dividend, size), 0.0)
                                     : std::floor(estimateDim(atom.dividend, size) / static_cast<double>(atom.divisor));
    sum += product;
  }
  return sum;
}
