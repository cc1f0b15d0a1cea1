// Products of three and more operands in Einstein notation become products of two, of which the cheapest comes first:
// all at once would take as many operations as all indices together have values.
#include "passes/Graph/Decompose/DecomposePatterns.h"
#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/EinsumEquation.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo::graph {
namespace {

using Indices = SmallVector<int64_t>;

/// A dynamic size counts as this one.
constexpr double kNominalSize = 64;

std::string lettersOf(ArrayRef<int64_t> indices) {
  std::string letters;
  for (int64_t index : indices)
    letters += static_cast<char>(index < 26 ? 'a' + index : 'A' + index - 26);
  return letters;
}

struct MultiplyInPairs : OpRewritePattern<onnx::EinsumOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::EinsumOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> operands(op.getInputs());
    SmallVector<int64_t> ranks;
    for (Value operand : operands) {
      std::optional<onnx::DimList> dims = onnx::getDims(operand);
      if (operands.size() < 3 || !dims)
        return failure();
      ranks.push_back(dims->size());
    }
    FailureOr<onnx::EinsumEquation> equation = onnx::parseEinsum(op, op.getEquation(), ranks);
    if (operands.size() < 3 || failed(equation) || equation->indexCount > 52)
      return failure();
    OnnxBuilder b(rewriter, op.getLoc());
    // A product of two is not rounded to halves.
    Type element = getElementTypeOrSelf(op.getType());
    if (element.isF16() || element.isBF16())
      for (Value &operand : operands)
        operand = b.cast(operand, b.getF32Type());
    SmallVector<double> sizes(equation->indexCount, 1);
    for (auto [operand, term] : llvm::zip_equal(operands, equation->operands))
      for (auto [dim, index] : llvm::zip_equal(*onnx::getDims(operand), term))
        sizes[index] = std::max(sizes[index], dim.isStatic() ? static_cast<double>(dim.getSize()) : kNominalSize);
    auto [left, right] = cheapestPair(equation->operands, sizes);
    Indices joined = keptIndices(*equation, left, right);
    SmallVector<Value> pair = {operands[left], operands[right]}, rest;
    SmallVector<std::string> terms;
    for (auto [number, operand] : llvm::enumerate(operands))
      if (number != left && number != right) {
        rest.push_back(operand);
        terms.push_back(lettersOf(equation->operands[number]));
      }
    std::string formula = lettersOf(equation->operands[left]) + "," + lettersOf(equation->operands[right]) + "->";
    rest.push_back(einsum(b, pair, formula + lettersOf(joined)));
    terms.push_back(lettersOf(joined));
    Value all = einsum(b, rest, llvm::join(terms, ",") + "->" + lettersOf(equation->result));
    rewriter.replaceOp(op, b.as(b.cast(all, element), op.getType()));
    return success();
  }

private:
  static Value einsum(OnnxBuilder &b, ValueRange operands, StringRef equation) {
    return b.make<onnx::EinsumOp>(operands, b.getNamedAttr("equation", b.getStringAttr(equation)));
  }

  /// Returns the two operands whose indices have the fewest values together.
  static std::pair<size_t, size_t> cheapestPair(ArrayRef<Indices> terms, ArrayRef<double> sizes) {
    std::pair<size_t, size_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (size_t left = 0; left < terms.size(); ++left)
      for (size_t right = left + 1; right < terms.size(); ++right) {
        llvm::SmallSetVector<int64_t, 8> indices(terms[left].begin(), terms[left].end());
        indices.insert(terms[right].begin(), terms[right].end());
        double values = 1;
        for (int64_t index : indices)
          values *= sizes[index];
        if (values < least) {
          least = values;
          best = {left, right};
        }
      }
    return best;
  }

  /// Returns the indices of two operands that the result or another operand has.
  static Indices keptIndices(const onnx::EinsumEquation &equation, size_t left, size_t right) {
    llvm::SmallSetVector<int64_t, 8> kept(equation.operands[left].begin(), equation.operands[left].end());
    kept.insert(equation.operands[right].begin(), equation.operands[right].end());
    kept.remove_if([&](int64_t index) {
      auto others = llvm::make_filter_range(llvm::enumerate(equation.operands), [&](auto term) {
        return term.index() != left && term.index() != right && llvm::is_contained(term.value(), index);
      });
      return others.empty() && !llvm::is_contained(equation.result, index);
    });
    return Indices(kept.takeVector());
  }
};

} // namespace

void populateDecomposeEinsumPatterns(RewritePatternSet &patterns) {
  patterns.add<MultiplyInPairs>(patterns.getContext());
}

} // namespace cameo::graph
