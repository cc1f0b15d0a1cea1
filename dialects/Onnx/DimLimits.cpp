#include "dialects/Onnx/DimLimits.h"

#include <cmath>
#include <numeric>

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

/// Takes what divides both out of them: (4*n*h + n)/(2*n) is (4*h + 1)/2.
static void cancelFactors(Dim &a, Dim &b) {
  auto divideBoth = [&](const Dim &factor) {
    Dim lesserA = exactDivDims(a, factor), lesserB = exactDivDims(b, factor);
    if (lesserA.isUnknown() || lesserB.isUnknown())
      return false;
    a = lesserA;
    b = lesserB;
    return true;
  };
  llvm::SetVector<StringAttr> names;
  collectNames(b, names);
  for (StringAttr name : names)
    while (!b.isStatic() && divideBoth(Dim::named(name)))
      ;
  int64_t common = 0;
  for (const Dim &dim : {a, b})
    for (const DimTerm &term : getTerms(dim).value_or(std::vector<DimTerm>()))
      common = std::gcd(common, term.coefficient);
  if (common > 1)
    divideBoth(common);
}

Dim cameo::onnx::floorDivDims(const Dim &a, const Dim &b) {
  if (b.isStatic())
    return b.getSize() > 0 ? floorDivDim(a, b.getSize()) : Dim::unknown();
  Dim exact = exactDivDims(a, b);
  if (!exact.isUnknown() || !isNeverNegative(a) || !isNeverNegative(b))
    return exact;
  Dim dividend = a, divisor = b;
  cancelFactors(dividend, divisor);
  if (divisor.isStatic())
    return floorDivDim(dividend, divisor.getSize());
  std::string above = dividend.isStatic() ? std::to_string(dividend.getSize()) : dividend.getName().str();
  StringRef below = divisor.getName().getValue();
  return Dim::named(StringAttr::get(b.getName().getContext(), "floor((" + above + ")/(" + below + "))"));
}

std::optional<SizeQuotient> cameo::onnx::getQuotient(StringAttr name) {
  StringRef text = name.getValue();
  if (!text.consume_front("floor((") || !text.consume_back("))"))
    return std::nullopt;
  int depth = 0;
  for (size_t i = 0; i < text.size() && depth >= 0; ++i) {
    if (depth == 0 && text.substr(i).starts_with(")/(")) {
      StringRef above = text.take_front(i), below = text.drop_front(i + 3);
      if (above.empty() || below.empty())
        return std::nullopt;
      return SizeQuotient{Dim::named(StringAttr::get(name.getContext(), above)),
                          Dim::named(StringAttr::get(name.getContext(), below))};
    }
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
  }
  return std::nullopt;
}

static Dim replaceInAtom(const DimAtom &atom, MLIRContext *context, llvm::function_ref<Dim(StringAttr)> replace) {
  if (atom.name.empty()) {
    Dim dividend = replaceNames(atom.dividend, replace);
    return atom.divisor == 0 ? minDims(dividend, 0) : floorDivDim(dividend, atom.divisor);
  }
  StringAttr name = StringAttr::get(context, atom.name);
  if (std::optional<SizeQuotient> quotient = getQuotient(name))
    return floorDivDims(replaceNames(quotient->dividend, replace), replaceNames(quotient->divisor, replace));
  return replace(name);
}

Dim cameo::onnx::replaceNames(const Dim &dim, llvm::function_ref<Dim(StringAttr)> replace) {
  if (!dim.isNamed())
    return dim;
  Dim sum(0);
  for (const DimTerm &term : getTerms(dim).value_or(std::vector<DimTerm>())) {
    Dim product(term.coefficient);
    for (const DimAtom &atom : term.atoms)
      product = mulDims(product, replaceInAtom(atom, dim.getName().getContext(), replace));
    sum = addDims(sum, product);
  }
  return sum;
}

Dim cameo::onnx::fixSizes(const Dim &dim, const llvm::StringMap<int64_t> &sizes) {
  if (sizes.empty())
    return dim;
  return replaceNames(dim, [&](StringAttr name) {
    auto size = sizes.find(name);
    return size == sizes.end() ? Dim::named(name) : Dim(size->second);
  });
}

static double estimateAtom(const DimAtom &atom, MLIRContext *context, double size) {
  std::optional<SizeQuotient> quotient = getQuotient(StringAttr::get(context, atom.name));
  if (quotient)
    return std::floor(estimateDim(quotient->dividend, size) / std::max(estimateDim(quotient->divisor, size), 1.0));
  if (!atom.name.empty())
    return size;
  double dividend = estimateDim(atom.dividend, size);
  return atom.divisor == 0 ? std::min(dividend, 0.0) : std::floor(dividend / static_cast<double>(atom.divisor));
}

double cameo::onnx::estimateDim(const Dim &dim, double size) {
  double sum = 0;
  for (const DimTerm &term : getTerms(dim).value_or(std::vector<DimTerm>())) {
    double product = static_cast<double>(term.coefficient);
    for (const DimAtom &atom : term.atoms)
      product *= estimateAtom(atom, dim.getName().getContext(), size);
    sum += product;
  }
  return sum;
}
