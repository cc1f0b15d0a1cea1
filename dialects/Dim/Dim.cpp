// Expressions are polynomials with integer coefficients over atoms, see DimAttributes.td.
#include "dialects/Dim/Dim.h"

#include "dialects/Dim/DimReal.h"
#include "dialects/Dim/DimText.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace cameo;

namespace {

std::string spellAtom(Attribute atom) {
  return llvm::TypeSwitch<Attribute, std::string>(atom)
      .Case([](StringAttr name) { return name.str(); })
      .Case([](DimQuotientAttr quotient) {
        Dim divisor = quotient.getDivisor();
        std::string below = divisor.isStatic() ? divisor.getText() : "(" + divisor.getText() + ")";
        return "floor((" + quotient.getDividend().getText() + ")/" + below + ")";
      })
      .Case([](DimMinAttr minimum) { return "min(" + minimum.getDim().getText() + ", 0)"; })
      .Case([](DimFloorAttr floor) { return "floor(" + spellReal(floor.getReal()) + ")"; });
}

/// Returns the terms in the order of the text: added terms come before subtracted ones, so that no sum begins with a
/// sign, and the constant is the last of each kind.
SmallVector<DimTerm, 2> writtenTerms(const Dim &dim) {
  SmallVector<DimTerm, 2> terms = getTerms(dim), written;
  for (bool isSubtracted : {false, true})
    for (bool isNumber : {false, true})
      for (const DimTerm &term : terms)
        if ((term.coefficient < 0) == isSubtracted && !term.product == isNumber)
          written.push_back(term);
  return written;
}

uint64_t magnitudeOf(const DimTerm &term) {
  return term.coefficient < 0 ? -uint64_t(term.coefficient) : uint64_t(term.coefficient);
}

/// Returns the prefix of a term: its coefficient, or "" for a product with coefficient 1.
std::string spellFactor(const DimTerm &term) {
  return term.product && magnitudeOf(term) == 1 ? "" : std::to_string(magnitudeOf(term));
}

int compareDims(const Dim &a, const Dim &b);

/// Compares atoms in the order of their texts, without spelling them, because a text grows with the depth of its
/// expression. Equal parts are the same attribute, so the comparison descends along one path only.
int compareAtoms(Attribute a, Attribute b) {
  if (a == b)
    return 0;
  auto leftQuotient = dyn_cast<DimQuotientAttr>(a), rightQuotient = dyn_cast<DimQuotientAttr>(b);
  if (leftQuotient && rightQuotient) {
    Dim left = leftQuotient.getDivisor(), right = rightQuotient.getDivisor();
    if (int order = compareDims(leftQuotient.getDividend(), rightQuotient.getDividend()))
      return order;
    // An expression is written in parentheses, which sort before digits.
    return left.isStatic() != right.isStatic() ? (left.isStatic() ? 1 : -1) : compareDims(left, right);
  }
  auto leftMinimum = dyn_cast<DimMinAttr>(a), rightMinimum = dyn_cast<DimMinAttr>(b);
  if (leftMinimum && rightMinimum)
    return compareDims(leftMinimum.getDim(), rightMinimum.getDim());
  if (isa<DimFloorAttr>(a) && isa<DimFloorAttr>(b)) // short
    return spellAtom(a).compare(spellAtom(b));
  auto beginningOf = [](Attribute atom) -> StringRef {
    if (auto name = dyn_cast<StringAttr>(atom))
      return name.getValue();
    return isa<DimQuotientAttr>(atom) ? "floor((" : isa<DimFloorAttr>(atom) ? "floor(f" : "min(";
  };
  int order = beginningOf(a).compare(beginningOf(b));
  return order != 0 ? order : isa<StringAttr>(a) ? -1 : 1;
}

/// Compares single terms by their texts: `2*n`, `n`, `n*m`.
int compareTerms(const DimTerm &a, const DimTerm &b) {
  std::string left = spellFactor(a), right = spellFactor(b);
  if (left != right)
    return left.empty() || (!right.empty() && right < left) ? 1 : -1;
  for (auto [one, other] : llvm::zip(a.getAtoms(), b.getAtoms()))
    if (int order = compareAtoms(one, other))
      return order;
  return int(a.getAtoms().size()) - int(b.getAtoms().size());
}

/// Compares sums in the order of their texts with a following character: `0 - n`, `n + m`, `n - m`, `n`.
int compareDims(const Dim &a, const Dim &b) {
  if (a.equals(b))
    return 0;
  SmallVector<DimTerm, 2> left = writtenTerms(a), right = writtenTerms(b);
  bool isFirst = true;
  for (auto [one, other] : llvm::zip(left, right)) {
    if ((one.coefficient < 0) != (other.coefficient < 0))
      return (one.coefficient < 0) == isFirst ? -1 : 1;
    if (int order = compareTerms(one, other))
      return order;
    isFirst = false;
  }
  return int(right.size()) - int(left.size());
}

bool precedes(Attribute a, Attribute b) { return compareAtoms(a, b) < 0; }

using Atoms = SmallVector<Attribute, 2>;

struct ProductOrder {
  bool operator()(const Atoms &a, const Atoms &b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), precedes);
  }
};

/// The coefficients of products of sorted atoms; the constant is the term without atoms.
using Terms = std::map<Atoms, int64_t, ProductOrder>;

/// A dimension with more terms becomes unknown, and one with more factors in a term: a model of sixty products of a
/// size with itself would spell 2^60. A volume whose three sizes are sums of three terms has 27 terms of three factors.
constexpr size_t kMaxTerms = 64;

/// A dimension whose text has more atoms, counting repetitions, becomes unknown, too: the text of a minimum contains
/// both sizes, so a chain of them doubles at each step. Nested branches have some thousand.
constexpr size_t kMaxAtoms = 1 << 14;

size_t countAtoms(const Dim &dim) {
  size_t count = 0;
  auto add = [&](const Dim &inner) { count += count > kMaxAtoms ? 0 : countAtoms(inner); };
  for (const DimTerm &term : getTerms(dim))
    for (Attribute atom : term.getAtoms()) {
      ++count;
      llvm::TypeSwitch<Attribute>(atom)
          .Case([](StringAttr) {})
          .Case([&](DimMinAttr minimum) { add(minimum.getDim()); })
          .Case([&](DimQuotientAttr quotient) {
            add(quotient.getDividend());
            add(quotient.getDivisor());
          })
          .Case([&](DimFloorAttr floor) { visitSizes(floor.getReal(), add); });
    }
  return count;
}

std::optional<Terms> termsOf(const Dim &dim) {
  if (dim.isUnknown())
    return std::nullopt;
  Terms terms;
  for (const DimTerm &term : getTerms(dim))
    terms.try_emplace(Atoms(term.getAtoms()), term.coefficient);
  return terms;
}

Dim makeDim(const Terms &terms, MLIRContext *context) {
  SmallVector<DimTerm> list;
  for (const auto &[atoms, coefficient] : terms)
    if (coefficient != 0)
      list.push_back({coefficient, atoms.empty() ? ArrayAttr() : ArrayAttr::get(context, atoms)});
  if (list.empty())
    return Dim(0);
  if (list.size() == 1 && !list.front().product)
    return Dim(list.front().coefficient);
  auto isShort = [](const DimTerm &term) { return term.getAtoms().size() <= kMaxTerms; };
  if (list.size() <= kMaxTerms && llvm::all_of(list, isShort))
    return Dim(DimExprAttr::get(context, list));
  DimLengthWatch::note();
  return Dim::unknown();
}

MLIRContext *contextOf(const Dim &a, const Dim &b) {
  return a.isNamed() ? a.getExpr().getContext() : b.isNamed() ? b.getExpr().getContext() : nullptr;
}

/// Returns a + factor * b.
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
  return makeDim(*left, contextOf(a, b));
}

/// Removes the atoms of `divisor` from `atoms`; returns false if one is missing.
bool removeAtoms(Atoms &atoms, ArrayRef<Attribute> divisor) {
  for (Attribute atom : divisor) {
    auto *it = llvm::find(atoms, atom);
    if (it == atoms.end())
      return false;
    atoms.erase(it);
  }
  return true;
}

/// Returns the leading term of a monomial order: the product with the most factors, and the alphabetically first one of
/// these.
Terms::const_iterator leadingTerm(const Terms &terms) {
  auto leads = [](const Terms::value_type &a, const Terms::value_type &b) {
    return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : ProductOrder()(a.first, b.first);
  };
  return std::min_element(terms.begin(), terms.end(), leads);
}

/// Returns the text of a term without its sign, such as `2*batch`; that of a constant is its number.
std::string spellProduct(const DimTerm &term) {
  std::string text = spellFactor(term);
  for (Attribute atom : term.getAtoms())
    text += (text.empty() ? "" : "*") + spellAtom(atom);
  return text;
}

/// Returns the index of the `)/` after the dividend at the start of `text`, or npos.
size_t findDivision(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size() && depth >= 0; ++i) {
    if (depth == 0 && text.substr(i).starts_with(")/"))
      return i;
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
  }
  return StringRef::npos;
}

/// Parses `floor((dividend)/4)`, `floor((dividend)/(divisor))`, `floor(float(dim)*0.7)`, `min(dim, 0)`, a number or a
/// name.
std::optional<Dim> parseFactor(StringRef text, MLIRContext *context) {
  int64_t number = 0;
  if (!text.getAsInteger(10, number))
    return Dim(number);
  StringRef inside = text;
  if (inside.consume_front("min(") && inside.consume_back(", 0)") && !inside.empty()) {
    std::optional<Dim> dim = parseDim(inside, context);
    return dim ? std::optional(Dim::atom(DimMinAttr::get(context, *dim))) : std::nullopt;
  }
  inside = text;
  if (inside.consume_front("floor(") && inside.consume_back(")"))
    if (std::optional<Attribute> real = parseReal(inside, context))
      return floorReal(*real);
  inside = text;
  size_t division = StringRef::npos;
  if (inside.consume_front("floor((") && inside.consume_back(")"))
    division = findDivision(inside);
  if (division == StringRef::npos)
    return text.empty() ? std::nullopt : std::optional(Dim::atom(StringAttr::get(context, text)));
  StringRef below = inside.drop_front(division + 2);
  if (below.consume_front("("))
    below.consume_back(")");
  std::optional<Dim> dividend = parseDim(inside.take_front(division), context), divisor = parseDim(below, context);
  if (!dividend || !divisor || (divisor->isStatic() && divisor->getSize() <= 0))
    return std::nullopt;
  return Dim::atom(DimQuotientAttr::get(context, *dividend, *divisor));
}

thread_local DimLengthWatch *innermostWatch = nullptr;

} // namespace

DimLengthWatch::DimLengthWatch() : outer(std::exchange(innermostWatch, this)) {}

DimLengthWatch::~DimLengthWatch() {
  innermostWatch = outer;
  if (outer)
    outer->seen |= seen;
}

void DimLengthWatch::note() {
  if (innermostWatch)
    innermostWatch->seen = true;
}

int64_t DimLengthWatch::getMaxAtoms() { return kMaxAtoms; }

int64_t DimLengthWatch::getMaxTerms() { return kMaxTerms; }

SmallVector<StringRef> cameo::splitOutside(StringRef text, StringRef separator) {
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

std::optional<Dim> cameo::parseDim(StringRef text, MLIRContext *context) {
  Dim sum(0);
  for (StringRef added : splitOutside(text, " + "))
    for (auto [i, part] : llvm::enumerate(splitOutside(added, " - "))) {
      Dim product(i == 0 ? 1 : -1);
      for (StringRef factor : splitOutside(part, "*")) {
        std::optional<Dim> parsed = parseFactor(factor, context);
        product = parsed ? mulDims(product, *parsed) : Dim::unknown();
      }
      sum = addDims(sum, product);
    }
  return sum.isUnknown() ? std::nullopt : std::optional(sum);
}

std::string DimExprAttr::getText() const {
  std::string text;
  for (const DimTerm &term : writtenTerms(*this)) {
    bool isSubtracted = term.coefficient < 0;
    text += text.empty() ? (isSubtracted ? "0 - " : "") : (isSubtracted ? " - " : " + ");
    text += spellProduct(term);
  }
  return text;
}

Dim Dim::atom(Attribute atom) {
  MLIRContext *context = atom.getContext();
  Dim dim = DimExprAttr::get(context, DimTerm{1, ArrayAttr::get(context, atom)});
  if (countAtoms(dim) <= kMaxAtoms)
    return dim;
  DimLengthWatch::note();
  return Dim::unknown();
}

StringAttr Dim::getName() const {
  ArrayRef<DimTerm> terms = expr ? expr.getTerms() : ArrayRef<DimTerm>();
  bool isAtom = terms.size() == 1 && terms.front().coefficient == 1 && terms.front().getAtoms().size() == 1;
  return isAtom ? dyn_cast<StringAttr>(terms.front().getAtoms().front()) : StringAttr();
}

std::string Dim::getText() const {
  return isStatic() ? std::to_string(size) : isNamed() ? expr.getText() : std::string("?");
}

Dim cameo::addDims(const Dim &a, const Dim &b) { return addScaled(a, b, 1); }

Dim cameo::subDims(const Dim &a, const Dim &b) { return addScaled(a, b, -1); }

Dim cameo::mulDims(const Dim &a, const Dim &b) {
  // A zero makes the product zero even if the other factor is unknown.
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
      Atoms atoms = leftAtoms;
      llvm::append_range(atoms, rightAtoms);
      llvm::sort(atoms, precedes);
      int64_t &sum = product[std::move(atoms)];
      if (llvm::AddOverflow(sum, factor, sum))
        return Dim::unknown();
    }
  return makeDim(product, contextOf(a, b));
}

Dim cameo::exactDivDims(const Dim &a, const Dim &b) {
  std::optional<Terms> left = termsOf(a), right = termsOf(b);
  if (!left || !right)
    return Dim::unknown();
  if (a.equals(b) && !(b.isStatic() && b.getSize() == 0))
    return Dim(1);
  auto divisor = leadingTerm(*right);
  if (divisor->second < 0)
    return exactDivDims(subDims(Dim(0), a), subDims(Dim(0), b));
  if (divisor->second == 0)
    return Dim::unknown();
  // Long division: each step eliminates the leading term of the rest.
  Dim quotient(0), rest = a;
  while (!(rest.isStatic() && rest.getSize() == 0)) {
    left = termsOf(rest);
    if (!left)
      return Dim::unknown();
    auto leading = leadingTerm(*left);
    Atoms atoms = leading->first;
    if (leading->second % divisor->second != 0 || !removeAtoms(atoms, divisor->first))
      return Dim::unknown();
    Dim step = makeDim({{std::move(atoms), leading->second / divisor->second}}, contextOf(a, b));
    quotient = addDims(quotient, step);
    rest = subDims(rest, mulDims(step, b));
  }
  return quotient;
}

Dim cameo::floorDivDim(const Dim &a, int64_t divisor) {
  assert(divisor > 0 && "the caller checks the divisor");
  if (a.isStatic())
    return Dim(llvm::divideFloorSigned(a.getSize(), divisor));
  Dim exact = exactDivDims(a, Dim(divisor));
  if (!exact.isUnknown() || !a.isNamed())
    return exact;
  MLIRContext *context = a.getExpr().getContext();
  // Normalise: terms with coefficients that are multiples of the divisor are moved out of the quotient, the constant is
  // reduced to 0 to divisor - 1, and some term is added, not subtracted. floor((2*h + 1)/2) is h, floor((4 - h)/4) is 1
  // - floor((h + 3)/4).
  Terms whole, rest, terms = *termsOf(a);
  for (const auto &[atoms, coefficient] : terms)
    (coefficient % divisor == 0 ? whole[atoms] = coefficient / divisor : rest[atoms] = coefficient);
  int64_t number = 0;
  if (auto constant = rest.find(Atoms()); constant != rest.end()) {
    number = constant->second;
    rest.erase(constant);
  }
  bool isSubtracted =
      !rest.empty() && llvm::all_of(rest, [](const Terms::value_type &term) { return term.second < 0; });
  if (isSubtracted) { // floor((number - x)/divisor) is -ceil((x - number)/divisor)
    for (auto &[atoms, coefficient] : rest)
      if (llvm::SubOverflow(int64_t(0), coefficient, coefficient))
        return Dim::unknown();
    if (llvm::SubOverflow(divisor - 1, number, number))
      return Dim::unknown();
  }
  int64_t steps = llvm::divideFloorSigned(number, divisor);
  Dim quotient(steps);
  if (!rest.empty()) {
    if (number != steps * divisor)
      rest[Atoms()] = number - steps * divisor;
    Dim dividend = makeDim(rest, context);
    if (dividend.isUnknown())
      return dividend;
    quotient = addDims(quotient, Dim::atom(DimQuotientAttr::get(context, dividend, Dim(divisor))));
  }
  Dim multiple = makeDim(whole, context);
  return isSubtracted ? subDims(multiple, quotient) : addDims(multiple, quotient);
}

Dim cameo::productOf(ArrayRef<Dim> dims) {
  // A zero makes the product zero even if other factors are unknown.
  if (llvm::any_of(dims, [](const Dim &dim) { return dim.isStatic() && dim.getSize() == 0; }))
    return Dim(0);
  Dim product(1);
  for (const Dim &dim : dims)
    product = mulDims(product, dim);
  return product;
}

SmallVector<DimTerm, 2> cameo::getTerms(const Dim &dim) {
  if (dim.isStatic())
    return {{dim.getSize(), ArrayAttr()}};
  return dim.isNamed() ? SmallVector<DimTerm, 2>(dim.getExpr().getTerms()) : SmallVector<DimTerm, 2>();
}

void cameo::collectNames(const Dim &dim, llvm::SetVector<StringAttr> &names) {
  for (const DimTerm &term : getTerms(dim))
    for (Attribute atom : term.getAtoms())
      llvm::TypeSwitch<Attribute>(atom)
          .Case([&](StringAttr name) { names.insert(name); })
          .Case([&](DimMinAttr minimum) { collectNames(minimum.getDim(), names); })
          .Case([&](DimQuotientAttr quotient) {
            collectNames(quotient.getDividend(), names);
            collectNames(quotient.getDivisor(), names);
          })
          .Case([&](DimFloorAttr floor) {
            visitSizes(floor.getReal(), [&](const Dim &size) { collectNames(size, names); });
          });
}
