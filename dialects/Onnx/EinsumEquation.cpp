#include "dialects/Onnx/EinsumEquation.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace cameo::onnx;

namespace {

constexpr char kEllipsis = '.';

/// Returns the letters of a term, with an ellipsis as one '.'; nothing for an invalid character.
std::optional<std::string> readTerm(StringRef text) {
  std::string term;
  while (!text.empty()) {
    if (text.consume_front("...")) {
      if (term.find(kEllipsis) != std::string::npos)
        return std::nullopt;
      term += kEllipsis;
    } else if (llvm::isAlpha(text.front())) {
      term += text.front();
      text = text.drop_front();
    } else {
      return std::nullopt;
    }
  }
  return term;
}

class EinsumParser {
public:
  EinsumParser(Operation *op, StringRef equation, ArrayRef<int64_t> ranks) : op(op), ranks(ranks) {
    for (char c : equation)
      if (c != ' ')
        text += c;
  }

  FailureOr<EinsumEquation> parse() {
    if (failed(readTerms()) || failed(sizeEllipsis()))
      return failure();
    numberIndices();
    return equationOf();
  }

private:
  LogicalResult readTerms() {
    auto [left, right] = StringRef(text).split("->");
    SmallVector<StringRef> parts;
    left.split(parts, ',');
    if (parts.size() != ranks.size()) // einsum_c1
      return op->emitOpError() << "expected an equation of " << ranks.size() << " terms, one per operand, got "
                               << parts.size();
    for (StringRef part : parts) {
      std::optional<std::string> term = readTerm(part);
      if (!term) // einsum_c2
        return op->emitOpError() << "expected terms of letters with at most one '...', got '" << part << "'";
      terms.push_back(*term);
    }
    if (StringRef(text).contains("->")) {
      std::optional<std::string> term = readTerm(right);
      if (!term)
        return op->emitOpError() << "expected terms of letters with at most one '...', got '" << right << "'";
      result = *term;
      return expectResult();
    }
    result = implicitResult();
    return success();
  }

  /// Returns the result without an arrow: the ellipsis, then the letters that occur once, in alphabetical order.
  std::string implicitResult() {
    std::map<char, int> counts;
    for (const std::string &term : terms)
      for (char c : term)
        ++counts[c];
    std::string letters = counts.count(kEllipsis) ? std::string(1, kEllipsis) : std::string();
    for (auto [c, count] : counts)
      if (c != kEllipsis && count == 1)
        letters += c;
    return letters;
  }

  LogicalResult expectResult() {
    for (auto [i, c] : llvm::enumerate(result)) {
      bool occurs = llvm::any_of(terms, [c = c](const std::string &term) { return term.find(c) != std::string::npos; });
      if ((!occurs && c != kEllipsis) || result.find(c) != i) // einsum_c3
        return op->emitOpError() << "expected each index of the result to occur there once, and in an operand, got '"
                                 << c << "'";
    }
    return success();
  }

  /// Computes the number of dimensions of the ellipsis: the largest number in any operand.
  LogicalResult sizeEllipsis() {
    for (auto [number, term, rank] : llvm::enumerate(terms, ranks)) {
      bool hasEllipsis = term.find(kEllipsis) != std::string::npos;
      int64_t letters = int64_t(term.size()) - hasEllipsis, rest = rank - letters;
      if (rest < 0 || (!hasEllipsis && rest != 0)) // einsum_c4
        return op->emitOpError() << "expected operand #" << number << " of rank " << letters
                                 << (hasEllipsis ? " or more" : "") << ", got " << rank;
      ellipsisRank = std::max(ellipsisRank, rest);
    }
    return success();
  }

  void numberIndices() {
    for (const std::string &term : terms)
      for (char c : term)
        if (c != kEllipsis)
          numbers.try_emplace(c, ellipsisRank + numbers.size());
  }

  /// Returns the indices of a term. A shorter ellipsis is aligned at the last dimension.
  SmallVector<int64_t> indicesOf(StringRef term, int64_t ownEllipsisRank) {
    SmallVector<int64_t> indices;
    for (char c : term) {
      if (c != kEllipsis) {
        indices.push_back(numbers[c]);
        continue;
      }
      for (int64_t i = ellipsisRank - ownEllipsisRank; i < ellipsisRank; ++i)
        indices.push_back(i);
    }
    return indices;
  }

  EinsumEquation equationOf() {
    EinsumEquation equation;
    for (auto [term, rank] : llvm::zip(terms, ranks)) {
      int64_t letters = llvm::count_if(term, [](char c) { return c != kEllipsis; });
      equation.operands.push_back(indicesOf(term, rank - letters));
    }
    equation.result = indicesOf(result, ellipsisRank);
    equation.indexCount = ellipsisRank + numbers.size();
    equation.isEllipsis.assign(equation.indexCount, false);
    std::fill_n(equation.isEllipsis.begin(), ellipsisRank, true);
    return equation;
  }

  Operation *op;
  std::string text;
  ArrayRef<int64_t> ranks;
  SmallVector<std::string> terms;
  std::string result;
  int64_t ellipsisRank = 0;
  std::map<char, int64_t> numbers;
};

} // namespace

FailureOr<EinsumEquation> cameo::onnx::parseEinsum(Operation *op, StringRef equation, ArrayRef<int64_t> ranks) {
  return EinsumParser(op, equation, ranks).parse();
}
