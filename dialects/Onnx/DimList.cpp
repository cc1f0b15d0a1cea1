// Named dimensions are polynomials with integer coefficients over atoms. An atom is a name of the model, a quotient
// floor(.../k) or floor(.../(size)) that does not simplify, or min(..., 0). The canonical text of a polynomial is its
// name.
#include "dialects/Onnx/DimList.h"

#include "dialects/Onnx/DimLimits.h"
#include "dialects/Onnx/OnnxDialect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace cameo::onnx;

namespace {

/// Products of atoms (sorted) with their coefficients; the constant is the term without atoms.
using Terms = std::map<std::vector<std::string>, int64_t>;

/// More terms than this are no longer worth a name: unknown. A volume whose three sizes are sums of three has 27.
constexpr size_t kMaxTerms = 64;

/// Splits at a separator outside parentheses.
SmallVector<StringRef> splitOutside(StringRef text, StringRef separator) {
  SmallVector<StringRef> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(')
      ++depth;
    else if (text[i] == ')')
      --depth;
    else if (depth == 0 && text.substr(i).starts_with(separator)) {
      parts.push_back(text.slice(begin, i));
      i += separator.size() - 1;
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// One product such as `2*batch*seq`. Fails for a number that 64 bits do not hold.
bool addProduct(Terms &terms, StringRef text, int64_t sign) {
  int64_t coefficient = sign;
  std::vector<std::string> atoms;
  for (StringRef factor : splitOutside(text, "*")) {
    int64_t number = 0;
    if (!factor.getAsInteger(10, number)) {
      if (llvm::MulOverflow(coefficient, number, coefficient))
        return false;
    } else {
      atoms.push_back(factor.str());
    }
  }
  llvm::sort(atoms);
  int64_t &sum = terms[std::move(atoms)];
  return !llvm::AddOverflow(sum, coefficient, sum);
}

bool parseTerms(StringRef text, Terms &terms) {
  for (auto [i, sum] : llvm::enumerate(splitOutside(text, " + ")))
    for (auto [j, part] : llvm::enumerate(splitOutside(sum, " - ")))
      if (!addProduct(terms, part, j == 0 ? 1 : -1))
        return false;
  return true;
}

std::optional<Terms> termsOf(const Dim &dim) {
  Terms terms;
  if (dim.isStatic()) {
    terms[{}] = dim.getSize();
    return terms;
  }
  if (!dim.isNamed() || !parseTerms(dim.getName().getValue(), terms))
    return std::nullopt;
  return terms;
}

/// `2*batch`, without the sign; a constant alone is its number.
std::string printProduct(const std::vector<std::string> &atoms, int64_t coefficient) {
  uint64_t magnitude = coefficient < 0 ? -uint64_t(coefficient) : uint64_t(coefficient);
  std::string text = llvm::join(atoms, "*");
  if (atoms.empty())
    return std::to_string(magnitude);
  return magnitude == 1 ? text : std::to_string(magnitude) + "*" + text;
}

std::string printTerms(const Terms &terms) {
  // Positive terms first, so that no sum begins with a sign; the constant is last.
  std::string text;
  for (int sign : {1, -1})
    for (bool isConstant : {false, true})
      for (const auto &[atoms, coefficient] : terms) {
        if (atoms.empty() != isConstant || (coefficient < 0) != (sign < 0))
          continue;
        text += text.empty() ? (sign < 0 ? "0 - " : "") : (sign < 0 ? " - " : " + ");
        text += printProduct(atoms, coefficient);
      }
  return text;
}

Dim makeDim(Terms terms, MLIRContext *context) {
  for (auto it = terms.begin(); it != terms.end();)
    it = it->second == 0 ? terms.erase(it) : std::next(it);
  if (terms.empty())
    return Dim(0);
  if (terms.size() == 1 && terms.begin()->first.empty()) {
    int64_t size = terms.begin()->second;
    return ShapedType::isDynamic(size) ? Dim::unknown() : Dim(size);
  }
  if (terms.size() > kMaxTerms)
    return Dim::unknown();
  return Dim::named(StringAttr::get(context, printTerms(terms)));
}

MLIRContext *contextOf(const Dim &a, const Dim &b) {
  return a.isNamed() ? a.getName().getContext() : b.isNamed() ? b.getName().getContext() : nullptr;
}

/// a + factor * b.
Dim addScaled(const Dim &a, const Dim &b, int64_t factor) {
  std::optional<Terms> left = termsOf(a), right = termsOf(b);
  if (!left || !right)
    return Dim::unknown();
  for (const auto &[atoms, coefficient] : *right) {
    int64_t scaled = 0;
    int64_t &sum = (*left)[atoms];
    if (llvm::MulOverflow(coefficient, factor, scaled) || llvm::AddOverflow(sum, scaled, sum))
      return Dim::unknown();
  }
  return makeDim(std::move(*left), contextOf(a, b));
}

/// Takes the atoms of `divisor` out of `atoms`; fails when one is not there.
bool removeAtoms(std::vector<std::string> &atoms, const std::vector<std::string> &divisor) {
  for (const std::string &atom : divisor) {
    auto it = llvm::find(atoms, atom);
    if (it == atoms.end())
      return false;
    atoms.erase(it);
  }
  return true;
}

/// The product of most factors, of these the first in the alphabet: multiplying two of them by a third keeps their
/// order.
Terms::const_iterator leadingTerm(const Terms &terms) {
  auto precedes = [](const Terms::value_type &a, const Terms::value_type &b) {
    return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first;
  };
  return std::min_element(terms.begin(), terms.end(), precedes);
}

} // namespace

Dim Dim::named(StringAttr name) {
  Dim dim;
  if (name && !name.getValue().empty())
    dim.name = name;
  return dim;
}

bool Dim::equals(const Dim &other) const {
  if (isStatic() || other.isStatic())
    return size == other.size;
  if (!isNamed() || !other.isNamed())
    return false;
  if (name == other.name)
    return true;
  // Models spell sums as they like.
  Dim difference = subDims(*this, other);
  return difference.isStatic() && difference.getSize() == 0;
}

Dim cameo::onnx::addDims(const Dim &a, const Dim &b) { return addScaled(a, b, 1); }

Dim cameo::onnx::subDims(const Dim &a, const Dim &b) { return addScaled(a, b, -1); }

Dim cameo::onnx::mulDims(const Dim &a, const Dim &b) {
  // A dimension of zero elements makes the product zero whatever the other is.
  if ((a.isStatic() && a.getSize() == 0) || (b.isStatic() && b.getSize() == 0))
    return Dim(0);
  std::optional<Terms> left = termsOf(a), right = termsOf(b);
  if (!left || !right)
    return Dim::unknown();
  Terms product;
  for (const auto &[leftAtoms, leftFactor] : *left)
    for (const auto &[rightAtoms, rightFactor] : *right) {
      int64_t factor = 0;
      if (llvm::MulOverflow(leftFactor, rightFactor, factor))
        return Dim::unknown();
      std::vector<std::string> atoms = leftAtoms;
      atoms.insert(atoms.end(), rightAtoms.begin(), rightAtoms.end());
      llvm::sort(atoms);
      int64_t &sum = product[std::move(atoms)];
      if (llvm::AddOverflow(sum, factor, sum))
        return Dim::unknown();
    }
  return makeDim(std::move(product), contextOf(a, b));
}

Dim cameo::onnx::exactDivDims(const Dim &a, const Dim &b) {
  std::optional<Terms> left = termsOf(a), right = termsOf(b);
  if (!left || !right)
    return Dim::unknown();
  if (a.equals(b) && !(b.isStatic() && b.getSize() == 0))
    return Dim(1);
  auto divisor = leadingTerm(*right);
  if (divisor->second <= 0)
    return Dim::unknown();
  // Long division: each step takes the leading product out of what is left.
  Dim quotient(0), rest = a;
  while (!(rest.isStatic() && rest.getSize() == 0)) {
    left = termsOf(rest);
    if (!left)
      return Dim::unknown();
    auto leading = leadingTerm(*left);
    std::vector<std::string> atoms = leading->first;
    if (leading->second % divisor->second != 0 || !removeAtoms(atoms, divisor->first))
      return Dim::unknown();
    Dim step = makeDim({{std::move(atoms), leading->second / divisor->second}}, contextOf(a, b));
    quotient = addDims(quotient, step);
    rest = subDims(rest, mulDims(step, b));
  }
  return quotient;
}

Dim cameo::onnx::floorDivDim(const Dim &a, int64_t divisor) {
  assert(divisor > 0 && "the caller checks the divisor");
  if (a.isStatic())
    return Dim(llvm::divideFloorSigned(a.getSize(), divisor));
  Dim exact = exactDivDims(a, Dim(divisor));
  if (!exact.isUnknown() || !a.isNamed())
    return exact;
  // Multiples of the divisor come out of the quotient when only a number stays: floor((2*h + 1)/2) is h.
  Terms multiple = *termsOf(a), rest;
  for (auto it = multiple.begin(); it != multiple.end();) {
    bool divides = it->second % divisor == 0;
    if (!divides)
      rest.insert(*it);
    it->second /= divisor;
    it = divides ? std::next(it) : multiple.erase(it);
  }
  if (rest.size() == 1 && rest.begin()->first.empty()) {
    multiple[{}] += llvm::divideFloorSigned(rest.begin()->second, divisor);
    return makeDim(std::move(multiple), a.getName().getContext());
  }
  std::string text = ("floor((" + a.getName().getValue() + ")/" + Twine(divisor) + ")").str();
  return Dim::named(StringAttr::get(a.getName().getContext(), text));
}

Dim cameo::onnx::productOf(ArrayRef<Dim> dims) {
  // Zero first: it decides whatever the others are.
  if (llvm::any_of(dims, [](const Dim &dim) { return dim.isStatic() && dim.getSize() == 0; }))
    return Dim(0);
  Dim product(1);
  for (const Dim &dim : dims)
    product = mulDims(product, dim);
  return product;
}

/// `floor((dividend)/divisor)`, `min(dividend, 0)`, or a name.
static DimAtom parseAtom(StringRef text, MLIRContext *context) {
  StringRef inside = text;
  int64_t divisor = 0;
  if (inside.consume_front("min(") && inside.consume_back(", 0)") && !inside.empty())
    return {"", Dim::named(StringAttr::get(context, inside)), 0};
  inside = text;
  if (inside.consume_front("floor((") && inside.consume_back(")")) {
    auto [dividend, number] = inside.rsplit(")/");
    if (!dividend.empty() && !number.getAsInteger(10, divisor) && divisor > 0)
      return {"", Dim::named(StringAttr::get(context, dividend)), divisor};
  }
  return {text.str(), Dim(), 1};
}

std::optional<std::vector<DimTerm>> cameo::onnx::getTerms(const Dim &dim) {
  std::optional<Terms> terms = termsOf(dim);
  if (!terms)
    return std::nullopt;
  std::vector<DimTerm> list;
  for (const auto &[atoms, coefficient] : *terms) {
    DimTerm &term = list.emplace_back(DimTerm{coefficient, {}});
    for (const std::string &atom : atoms)
      term.atoms.push_back(parseAtom(atom, dim.getName().getContext()));
  }
  return list;
}

static bool hasBound(const Dim &dim, const DimBounds &bounds) {
  llvm::SetVector<StringAttr> names;
  collectNames(dim, names);
  return llvm::any_of(names, [&](StringAttr name) { return bounds.contains(name); });
}

/// A quotient is the greatest where its divisor is the least, and that is 1.
static Dim upperBoundOfName(StringAttr name, const DimBounds &bounds) {
  std::optional<SizeQuotient> quotient = getQuotient(name);
  if (!quotient)
    return bounds.lookup(name);
  Dim dividend = upperBound(quotient->dividend, bounds);
  return hasBound(quotient->divisor, bounds) ? dividend : floorDivDims(dividend, quotient->divisor);
}

static Dim upperBoundOf(const DimTerm &term, const DimBounds &bounds, MLIRContext *context) {
  Dim product(term.coefficient);
  unsigned quotients = 0, minima = 0, boundedMinima = 0, bounded = 0;
  for (const DimAtom &atom : term.atoms) {
    Dim factor = atom.name.empty() ? atom.dividend : Dim::named(StringAttr::get(context, atom.name));
    bool isBounded = hasBound(factor, bounds), isMinimum = atom.divisor == 0;
    bounded += isBounded;
    if (!atom.name.empty()) {
      product = mulDims(product, isBounded ? upperBoundOfName(factor.getName(), bounds) : factor);
      continue;
    }
    Dim dividend = upperBound(factor, bounds);
    ++(isMinimum ? minima : quotients);
    boundedMinima += isMinimum && isBounded;
    product = mulDims(product, isMinimum ? minDims(dividend, Dim(0)) : floorDivDim(dividend, atom.divisor));
  }
  if (bounded == 0)
    return product;
  // What is subtracted is at least nothing. A quotient or a minimum may be less.
  if (term.coefficient < 0)
    return quotients + minima > 0 ? Dim::unknown() : Dim(0);
  // A minimum is nothing at most, and so is its product with a size that may be smaller than its bound.
  if (minima > 0 && bounded > boundedMinima)
    return quotients > 0 || minima > 1 ? Dim::unknown() : Dim(0);
  return minima > 1 ? Dim::unknown() : product;
}

static Dim makeFactor(const DimAtom &atom, MLIRContext *context) {
  if (!atom.name.empty())
    return Dim::named(StringAttr::get(context, atom.name));
  return atom.divisor == 0 ? minDims(atom.dividend, Dim(0)) : floorDivDim(atom.dividend, atom.divisor);
}

/// Of a sum with a term -p*min(x, 0), as the greater of two sizes is one: the sum is the greater of what is left
/// without the term and of that less p*x. Nothing where no such term has a bound.
static std::optional<Dim> upperBoundOfGreater(const Dim &dim, ArrayRef<DimTerm> terms, const DimBounds &bounds) {
  MLIRContext *context = dim.getName().getContext();
  for (const DimTerm &term : terms) {
    auto minimum = llvm::find_if(term.atoms, [&](const DimAtom &atom) {
      return atom.name.empty() && atom.divisor == 0 && hasBound(atom.dividend, bounds);
    });
    if (term.coefficient >= 0 || minimum == term.atoms.end())
      continue;
    Dim factor(term.coefficient);
    for (const DimAtom &atom : term.atoms)
      factor = &atom == &*minimum ? factor : mulDims(factor, makeFactor(atom, context));
    if (!isNeverNegative(subDims(Dim(0), factor)))
      continue;
    Dim rest = subDims(dim, mulDims(factor, minDims(minimum->dividend, Dim(0))));
    return maxDims(upperBound(rest, bounds), upperBound(addDims(rest, mulDims(factor, minimum->dividend)), bounds));
  }
  return std::nullopt;
}

Dim cameo::onnx::upperBound(const Dim &dim, const DimBounds &bounds) {
  if (!dim.isNamed() || !hasBound(dim, bounds))
    return dim;
  Dim sum(0);
  std::optional<std::vector<DimTerm>> terms = getTerms(dim);
  if (std::optional<Dim> greater = upperBoundOfGreater(dim, *terms, bounds))
    return *greater;
  for (const DimTerm &term : *terms)
    sum = addDims(sum, upperBoundOf(term, bounds, dim.getName().getContext()));
  return sum;
}

void cameo::onnx::collectNames(const Dim &dim, llvm::SetVector<StringAttr> &names) {
  for (const DimTerm &term : getTerms(dim).value_or(std::vector<DimTerm>()))
    for (const DimAtom &atom : term.atoms) {
      StringAttr name = StringAttr::get(dim.getName().getContext(), atom.name);
      if (std::optional<SizeQuotient> quotient = getQuotient(name)) {
        collectNames(quotient->dividend, names);
        collectNames(quotient->divisor, names);
      } else if (atom.name.empty()) {
        collectNames(atom.dividend, names);
      } else {
        names.insert(name);
      }
    }
}

std::optional<DimList> cameo::onnx::getDims(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return std::nullopt;
  auto names = dyn_cast_or_null<DimsAttr>(tensor.getEncoding());
  DimList dims;
  for (auto [i, size] : llvm::enumerate(tensor.getShape())) {
    if (!ShapedType::isDynamic(size))
      dims.push_back(Dim(size));
    else
      dims.push_back(names ? Dim::named(names.getNames()[i]) : Dim::unknown());
  }
  return dims;
}

RankedTensorType cameo::onnx::makeTensorType(ArrayRef<Dim> dims, Type elementType) {
  MLIRContext *context = elementType.getContext();
  SmallVector<int64_t> shape;
  SmallVector<StringAttr> names;
  bool hasName = false;
  for (const Dim &dim : dims) {
    shape.push_back(dim.getSize());
    names.push_back(dim.isNamed() ? dim.getName() : StringAttr::get(context));
    hasName |= dim.isNamed();
  }
  return RankedTensorType::get(shape, elementType, hasName ? DimsAttr::get(context, names) : Attribute());
}
