// Sums of products in Einstein notation: every letter is a loop.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// The letters of a term. Dimensions of an ellipsis become the letters \0, \1, ..., aligned at the last one.
using Term = SmallVector<char>;

constexpr char kMaxEllipsis = 16;

struct Equation {
  SmallVector<Term> inputs;
  Term output;
};

std::optional<Term> parseTerm(StringRef text, int64_t rank, int64_t &ellipsisRank) {
  Term term;
  size_t dots = text.find("...");
  int64_t letters = text.size() - (dots == StringRef::npos ? 0 : 3);
  int64_t covered = dots == StringRef::npos ? 0 : rank < 0 ? ellipsisRank : rank - letters;
  if (covered < 0 || covered > kMaxEllipsis || (rank >= 0 && letters + covered != rank))
    return std::nullopt;
  ellipsisRank = std::max(ellipsisRank, covered);
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == dots) {
      for (int64_t number = 0; number < covered; ++number)
        term.push_back(static_cast<char>(kMaxEllipsis - covered + number));
      i += 2;
      continue;
    }
    if (!llvm::isAlpha(text[i]))
      return std::nullopt;
    term.push_back(text[i]);
  }
  return term;
}

std::optional<Equation> parseEquation(StringRef text, Operands operands) {
  std::string dense = text.str();
  llvm::erase(dense, ' ');
  auto [left, right] = StringRef(dense).split("->");
  bool isExplicit = StringRef(dense).contains("->");
  SmallVector<StringRef> parts;
  left.split(parts, ',');
  if (parts.size() != operands.size())
    return std::nullopt;
  Equation equation;
  int64_t ellipsisRank = 0;
  for (auto [part, operand] : llvm::zip_equal(parts, operands)) {
    std::optional<Term> term = parseTerm(part, rankOf(operand), ellipsisRank);
    if (!term)
      return std::nullopt;
    equation.inputs.push_back(*term);
  }
  if (isExplicit) {
    std::optional<Term> term = parseTerm(right, -1, ellipsisRank);
    if (!term)
      return std::nullopt;
    equation.output = *term;
    return equation;
  }
  // Without an arrow the output is the ellipsis, then the letters that occur once, in alphabetical order.
  std::map<char, int> counts;
  for (const Term &term : equation.inputs)
    for (char letter : term)
      ++counts[letter];
  for (auto [letter, count] : counts)
    if (letter < kMaxEllipsis || count == 1)
      equation.output.push_back(letter);
  return equation;
}

Lowered lowerEinsum(onnx::EinsumOp op, Operands operands, GenericBuilder &b) {
  std::optional<Equation> equation = parseEquation(op.getEquation(), operands);
  if (!equation)
    return unsupported(op, "equation \"" + op.getEquation() + "\"");
  // The letters of the output are the first loops.
  llvm::MapVector<char, Dim> extents;
  for (char letter : equation->output)
    extents[letter] = 1;
  unsigned parallel = extents.size();
  if (parallel != equation->output.size())
    return unsupported(op, "a repeated output letter");
  for (auto [term, operand] : llvm::zip_equal(equation->inputs, operands))
    for (auto [letter, extent] : llvm::zip_equal(term, shapeOf(operand)))
      if (Dim &known = extents.try_emplace(letter, 1).first->second; extent != 1)
        known = extent;
  SmallVector<Access> accesses;
  for (auto [term, operand] : llvm::zip_equal(equation->inputs, operands)) {
    Access &access = accesses.emplace_back(Access{operand, {}});
    for (auto [letter, extent] : llvm::zip_equal(term, shapeOf(operand))) {
      unsigned loop = std::distance(extents.begin(), extents.find(letter));
      access.index.push_back(extent == 1 && extents[letter] != 1 ? b.fixed(0) : b.dim(loop));
    }
  }
  Type element = resultElement(op), sumType = computeType(element);
  auto product = [&](ScalarBuilder &s, ValueRange x) {
    Value result = s.widen(x[0]);
    for (Value factor : x.slice(1, operands.size() - 1))
      result = s.mul(result, s.widen(factor));
    return result;
  };
  if (extents.size() == parallel)
    return one(b.compute(resultShape(op), element, accesses, product));
  unsigned reduction = extents.size() - parallel;
  Access sums{b.filled(resultShape(op), b.getZeroAttr(sumType)), b.dims(parallel)};
  Value result = b.generic({parallel, reduction}, accesses, {sums}, [&](ScalarBuilder &s, ValueRange x) {
                    return Values{s.add(x.back(), product(s, x))};
                  }).front();
  return one(b.convert(result, element));
}

} // namespace

void addEinsums(LoweringTable &table) { table.add(lowerEinsum); }

} // namespace cameo::lower
