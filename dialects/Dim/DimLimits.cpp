#include "dialects/Dim/DimLimits.h"

#include "dialects/Dim/DimReal.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace cameo;

namespace {

/// A sum with a term p*min(x, 0) is the minimum of two sums, or the maximum if p is subtracted.
struct Alternatives {
  Dim without, with; ///< the sum without the term, and with p*x in its place
  bool isGreater;    ///< whether p is subtracted
};

/// Returns the alternatives of the first such term for which `isMeant` holds and the sign of p is known; nothing if
/// there is none.
std::optional<Alternatives> findAlternatives(const Dim &dim,
                                             llvm::function_ref<bool(const Dim &x, bool isGreater)> isMeant) {
  for (const DimTerm &term : getTerms(dim))
    for (const Attribute &minimum : term.getAtoms()) {
      bool isGreater = term.coefficient < 0;
      if (!isa<DimMinAttr>(minimum) || !isMeant(cast<DimMinAttr>(minimum).getDim(), isGreater))
        continue;
      Dim factor(term.coefficient);
      for (const Attribute &atom : term.getAtoms())
        factor = &atom == &minimum ? factor : mulDims(factor, Dim::atom(atom));
      if (!isNeverNegative(isGreater ? subDims(Dim(0), factor) : factor))
        continue;
      Dim without = subDims(dim, mulDims(factor, Dim::atom(minimum)));
      return Alternatives{without, addDims(without, mulDims(factor, cast<DimMinAttr>(minimum).getDim())), isGreater};
    }
  return std::nullopt;
}

/// Returns a lower bound of a multiple of the sum, in which x takes the place of the first floor(x/k) with a number k:
/// k*p*floor(x/k) is at least p*(x - k + 1), and at least p*x if p is negative. Returns nothing if there is none.
std::optional<Dim> withoutQuotient(const Dim &dim) {
  for (const DimTerm &term : getTerms(dim)) {
    auto quotient =
        term.getAtoms().size() == 1 ? dyn_cast<DimQuotientAttr>(term.getAtoms().front()) : DimQuotientAttr();
    if (!quotient || !quotient.getDivisor().isStatic())
      continue;
    Dim divisor = quotient.getDivisor(), rest = subDims(dim, mulDims(term.coefficient, Dim::atom(quotient)));
    Dim least = term.coefficient < 0 ? quotient.getDividend() : subDims(quotient.getDividend(), divisor - Dim(1));
    return addDims(mulDims(divisor, rest), mulDims(term.coefficient, least));
  }
  return std::nullopt;
}

/// Recursion depth for minima, maxima and quotients: enough for the maximum of three sizes that are sums of two.
constexpr unsigned kMaxDepth = 4;

bool isNeverNegativeWithin(const Dim &dim, unsigned depth) {
  auto isAtomNeverNegative = [](Attribute atom) {
    auto quotient = dyn_cast<DimQuotientAttr>(atom);
    auto floor = dyn_cast<DimFloorAttr>(atom);
    return isa<StringAttr>(atom) || (floor && isNeverNegative(floor.getReal())) ||
           (quotient && isNeverNegative(quotient.getDividend()) && isNeverNegative(quotient.getDivisor()));
  };
  if (dim.isUnknown())
    return false;
  if (llvm::all_of(getTerms(dim), [&](const DimTerm &term) {
        return term.coefficient >= 0 && llvm::all_of(term.getAtoms(), isAtomNeverNegative);
      }))
    return true;
  if (depth == 0)
    return false;
  if (std::optional<Dim> least = withoutQuotient(dim); least && isNeverNegativeWithin(*least, depth - 1))
    return true;
  std::optional<Alternatives> either = findAlternatives(dim, [](const Dim &, bool) { return true; });
  if (!either)
    return false;
  bool isWithout = isNeverNegativeWithin(either->without, depth - 1);
  return isWithout == either->isGreater ? isWithout : isNeverNegativeWithin(either->with, depth - 1);
}

} // namespace

bool cameo::isNeverNegative(const Dim &dim) { return isNeverNegativeWithin(dim, kMaxDepth); }

Dim cameo::minDims(const Dim &a, const Dim &b) {
  if (a.isStatic() && b.isStatic())
    return std::min(a.getSize(), b.getSize());
  Dim difference = subDims(a, b);
  if (difference.isUnknown())
    return difference;
  if (isNeverNegative(difference))
    return b;
  if (isNeverNegative(subDims(b, a)))
    return a;
  // Orders the operands, so that both orders give the same expression: numbers and the alphabetically first expression
  // come second.
  if (a.isStatic() || (b.isNamed() && a.getText() < b.getText()))
    return minDims(b, a);
  return addDims(b, Dim::atom(DimMinAttr::get(difference.getExpr().getContext(), difference)));
}

Dim cameo::maxDims(const Dim &a, const Dim &b) { return subDims(addDims(a, b), minDims(a, b)); }

/// Divides both by their common factors: (4*n*h + n)/(2*n) becomes (4*h + 1)/2.
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
    for (const DimTerm &term : getTerms(dim))
      common = std::gcd(common, term.coefficient);
  if (common > 1)
    divideBoth(common);
}

Dim cameo::floorDivDims(const Dim &a, const Dim &b) {
  if (b.isStatic())
    return b.getSize() > 0 ? floorDivDim(a, b.getSize()) : Dim::unknown();
  Dim exact = exactDivDims(a, b);
  if (!exact.isUnknown() || !isNeverNegative(a) || !isNeverNegative(b))
    return exact;
  Dim dividend = a, divisor = b;
  cancelFactors(dividend, divisor);
  if (divisor.isStatic())
    return floorDivDim(dividend, divisor.getSize());
  return Dim::atom(DimQuotientAttr::get(b.getExpr().getContext(), dividend, divisor));
}

static bool hasBound(const Dim &dim, const DimBounds &bounds) {
  llvm::SetVector<StringAttr> names;
  collectNames(dim, names);
  return llvm::any_of(names, [&](StringAttr name) { return bounds.contains(name); });
}

/// Returns the upper bound of an atom with bounded names. A quotient has its maximum at the least divisor, which is 1.
static Dim upperBoundOfAtom(Attribute atom, const DimBounds &bounds) {
  return llvm::TypeSwitch<Attribute, Dim>(atom)
      .Case([&](StringAttr name) { return bounds.lookup(name); })
      .Case([&](DimMinAttr minimum) { return minDims(upperBound(minimum.getDim(), bounds), Dim(0)); })
      .Case([&](DimQuotientAttr quotient) {
        Dim dividend = upperBound(quotient.getDividend(), bounds);
        return hasBound(quotient.getDivisor(), bounds) ? dividend : floorDivDims(dividend, quotient.getDivisor());
      })
      .Case([&](DimFloorAttr floor) {
        bool grows = growsWith(floor.getReal(), [&](const Dim &size) { return hasBound(size, bounds); });
        Attribute most = replaceSizes(floor.getReal(), [&](const Dim &size) { return upperBound(size, bounds); });
        return grows ? floorReal(most) : Dim::unknown();
      });
}

static Dim upperBoundOf(const DimTerm &term, const DimBounds &bounds) {
  Dim product(term.coefficient);
  unsigned quotients = 0, minima = 0, boundedMinima = 0, bounded = 0;
  for (Attribute atom : term.getAtoms()) {
    Dim factor = Dim::atom(atom);
    bool isBounded = hasBound(factor, bounds), isMinimum = isa<DimMinAttr>(atom);
    auto quotient = dyn_cast<DimQuotientAttr>(atom);
    bounded += isBounded;
    minima += isMinimum;
    boundedMinima += isMinimum && isBounded;
    // A quotient of two sizes is never negative.
    quotients +=
        (quotient && quotient.getDivisor().isStatic()) || (isa<DimFloorAttr>(atom) && !isNeverNegative(factor));
    product = mulDims(product, isBounded ? upperBoundOfAtom(atom, bounds) : factor);
  }
  if (bounded == 0)
    return product;
  // A subtracted term is at least zero, unless it has a quotient or minimum, which may be negative.
  if (term.coefficient < 0)
    return quotients + minima > 0 ? Dim::unknown() : Dim(0);
  // A minimum is at most zero, and so is its product with a size that may be smaller than its bound.
  if (minima > 0 && bounded > boundedMinima)
    return quotients > 0 || minima > 1 ? Dim::unknown() : Dim(0);
  return minima > 1 ? Dim::unknown() : product;
}

/// Returns the upper bound if the sum is the maximum of two sizes and one of them is bounded; otherwise nothing.
static std::optional<Dim> upperBoundOfGreater(const Dim &dim, const DimBounds &bounds) {
  std::optional<Alternatives> either =
      findAlternatives(dim, [&](const Dim &x, bool isGreater) { return isGreater && hasBound(x, bounds); });
  return either ? std::optional(maxDims(upperBound(either->without, bounds), upperBound(either->with, bounds)))
                : std::nullopt;
}

Dim cameo::upperBound(const Dim &dim, const DimBounds &bounds) {
  if (!dim.isNamed() || !hasBound(dim, bounds))
    return dim;
  if (std::optional<Dim> greater = upperBoundOfGreater(dim, bounds))
    return *greater;
  Dim sum(0);
  for (const DimTerm &term : getTerms(dim))
    sum = addDims(sum, upperBoundOf(term, bounds));
  return sum;
}

static Dim replaceInAtom(Attribute atom, llvm::function_ref<Dim(StringAttr)> replace) {
  return llvm::TypeSwitch<Attribute, Dim>(atom)
      .Case([&](StringAttr name) { return replace(name); })
      .Case([&](DimMinAttr minimum) { return minDims(replaceNames(minimum.getDim(), replace), 0); })
      .Case([&](DimQuotientAttr quotient) {
        return floorDivDims(replaceNames(quotient.getDividend(), replace),
                            replaceNames(quotient.getDivisor(), replace));
      })
      .Case([&](DimFloorAttr floor) {
        return floorReal(replaceSizes(floor.getReal(), [&](const Dim &size) { return replaceNames(size, replace); }));
      });
}

Dim cameo::replaceNames(const Dim &dim, llvm::function_ref<Dim(StringAttr)> replace) {
  if (!dim.isNamed())
    return dim;
  Dim sum(0);
  for (const DimTerm &term : getTerms(dim)) {
    Dim product(term.coefficient);
    for (Attribute atom : term.getAtoms())
      product = mulDims(product, replaceInAtom(atom, replace));
    sum = addDims(sum, product);
  }
  return sum;
}

Dim cameo::fixSizes(const Dim &dim, const llvm::StringMap<int64_t> &sizes) {
  if (sizes.empty())
    return dim;
  return replaceNames(dim, [&](StringAttr name) {
    auto size = sizes.find(name);
    return size == sizes.end() ? Dim::named(name) : Dim(size->second);
  });
}

static double estimateAtom(Attribute atom, double size) {
  return llvm::TypeSwitch<Attribute, double>(atom)
      .Case([&](StringAttr) { return size; })
      .Case([&](DimMinAttr minimum) { return std::min(estimateDim(minimum.getDim(), size), 0.0); })
      .Case([&](DimQuotientAttr quotient) {
        return std::floor(estimateDim(quotient.getDividend(), size) /
                          std::max(estimateDim(quotient.getDivisor(), size), 1.0));
      })
      .Case([&](DimFloorAttr floor) {
        double real = estimateReal(floor.getReal(), [&](const Dim &inner) { return estimateDim(inner, size); });
        return std::isfinite(real) ? std::floor(real) : size;
      });
}

double cameo::estimateDim(const Dim &dim, double size) {
  double sum = 0;
  for (const DimTerm &term : getTerms(dim)) {
    double product = static_cast<double>(term.coefficient);
    for (Attribute atom : term.getAtoms())
      product *= estimateAtom(atom, size);
    sum += product;
  }
  return sum;
}
