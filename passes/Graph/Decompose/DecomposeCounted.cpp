// Decomposes operators of a data-dependent size into an operation that counts, a Prefix of the counted elements, and
// movements. Later passes see ordinary shapes, in which the counted size is one more symbolic dimension.
#include "passes/Graph/Decompose/DecomposePatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// Creates an operation with inferred result types. Returns null after an error if the shapes are invalid.
template <typename OpTy>
OpTy createInferred(PatternRewriter &rewriter, Location loc, unsigned results, ValueRange operands,
                    ArrayRef<NamedAttribute> attributes = {}) {
  SmallVector<Type> types(results, UnrankedTensorType::get(rewriter.getF32Type()));
  auto op = OpTy::create(rewriter, loc, TypeRange(types), operands, attributes);
  return succeeded(op.inferShapes()) ? op : OpTy();
}

/// Creates the prefix of `data` with `count` elements; its first dimension is `size`.
Value createPrefix(PatternRewriter &rewriter, Location loc, Value data, Value count, const Dim &size) {
  onnx::DimList dims = *onnx::getDims(data);
  dims.front() = size;
  auto type = onnx::makeTensorType(dims, cast<RankedTensorType>(data.getType()).getElementType());
  return onnx::PrefixOp::create(rewriter, loc, TypeRange(type), {data, count}, ArrayRef<NamedAttribute>{});
}

/// Returns the symbolic dimension that an operator computes; nothing if it computes none.
std::optional<Dim> getCountedSize(onnx::DataSizedOp op) {
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    std::optional<int64_t> axis = onnx::isAbsent(result) ? std::nullopt : op.getDataSizedAxis(number);
    std::optional<onnx::DimList> dims = onnx::getDims(result);
    if (axis && dims && (*dims)[*axis].isNamed())
      return (*dims)[*axis];
  }
  return std::nullopt;
}

Value flatten(PatternRewriter &rewriter, Location loc, Value value) {
  Value shape = onnx::makeIntsConstant(rewriter, loc, {-1});
  return createInferred<onnx::ReshapeOp>(rewriter, loc, 1, {value, shape}).getReshaped();
}

Value gather(PatternRewriter &rewriter, Location loc, Value data, Value indices, int64_t axis) {
  NamedAttribute along = rewriter.getNamedAttr("axis", rewriter.getI64IntegerAttr(axis));
  return createInferred<onnx::GatherOp>(rewriter, loc, 1, {data, indices}, along).getOutput();
}

/// Rows of indices, transposed; exporters transpose them back.
struct CountNonZero : OpRewritePattern<onnx::NonZeroOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::NonZeroOp op, PatternRewriter &rewriter) const override {
    std::optional<Dim> size = getCountedSize(op);
    if (!size || !onnx::getDims(op.getX()))
      return failure();
    Location loc = op.getLoc();
    auto counted = createInferred<onnx::CountedNonZeroOp>(rewriter, loc, 2, op.getX());
    Value rows = createPrefix(rewriter, loc, counted.getPositions(), counted.getCount(), *size);
    NamedAttribute perm = rewriter.getNamedAttr("perm", rewriter.getDenseI64ArrayAttr({1, 0}));
    rewriter.replaceOp(op, createInferred<onnx::TransposeOp>(rewriter, loc, 1, rows, perm));
    return success();
  }
};

/// A Gather at the indices where the condition holds. They are counted unless the condition is constant.
struct CountCompress : OpRewritePattern<onnx::CompressOp> {
  using OpRewritePattern::OpRewritePattern;

  static Value findPlaces(onnx::CompressOp op, PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    if (std::optional<SmallVector<int64_t>> condition = onnx::getKnownInts(op.getCondition())) {
      SmallVector<int64_t> places;
      for (auto [place, holds] : llvm::enumerate(*condition))
        if (holds)
          places.push_back(place);
      return onnx::makeIntsConstant(rewriter, loc, places);
    }
    std::optional<Dim> size = getCountedSize(op);
    if (!size || !onnx::getDims(op.getCondition()))
      return {};
    auto counted = createInferred<onnx::CountedNonZeroOp>(rewriter, loc, 2, op.getCondition());
    return flatten(rewriter, loc, createPrefix(rewriter, loc, counted.getPositions(), counted.getCount(), *size));
  }

  LogicalResult matchAndRewrite(onnx::CompressOp op, PatternRewriter &rewriter) const override {
    Value places = onnx::getDims(op.getInput()) ? findPlaces(op, rewriter) : Value();
    if (!places)
      return failure();
    Location loc = op.getLoc();
    Value data = op.getAxis() ? op.getInput() : flatten(rewriter, loc, op.getInput());
    rewriter.replaceOp(op, gather(rewriter, loc, data, places, op.getAxis().value_or(0)));
    return success();
  }
};

struct CountUnique : OpRewritePattern<onnx::UniqueOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::UniqueOp op, PatternRewriter &rewriter) const override {
    std::optional<Dim> size = getCountedSize(op);
    if (!size || !onnx::getDims(op.getX()))
      return failure();
    Location loc = op.getLoc();
    auto counted = createInferred<onnx::CountedUniqueOp>(rewriter, loc, 4, op.getX(), op->getAttrs());
    Value indices = createPrefix(rewriter, loc, counted.getIndices(), counted.getCount(), *size);
    Value data = op.getAxis() ? op.getX() : flatten(rewriter, loc, op.getX());
    SmallVector<Value> results = {gather(rewriter, loc, data, indices, op.getAxis().value_or(0)), indices,
                                  counted.getInverse(),
                                  createPrefix(rewriter, loc, counted.getCounts(), counted.getCount(), *size)};
    for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
      if (onnx::isAbsent(result))
        value = onnx::makeNone(rewriter, loc);
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct CountNonMaxSuppression : OpRewritePattern<onnx::NonMaxSuppressionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::NonMaxSuppressionOp op, PatternRewriter &rewriter) const override {
    std::optional<Dim> size = getCountedSize(op);
    if (!size || !onnx::getDims(op.getScores()))
      return failure();
    Location loc = op.getLoc();
    auto counted =
        createInferred<onnx::CountedNonMaxSuppressionOp>(rewriter, loc, 2, op->getOperands(), op->getAttrs());
    rewriter.replaceOp(op, createPrefix(rewriter, loc, counted.getSelected(), counted.getCount(), *size));
    return success();
  }
};

Value changeCase(PatternRewriter &rewriter, Location loc, Value strings, StringRef action) {
  NamedAttribute to = rewriter.getNamedAttr("action", rewriter.getStringAttr(action));
  return createInferred<onnx::ChangeCaseOp>(rewriter, loc, 1, strings, to).getY();
}

Value makeStrings(PatternRewriter &rewriter, Location loc, ArrayRef<int64_t> shape, ArrayRef<StringRef> strings) {
  auto type = RankedTensorType::get(shape, onnx::StringType::get(rewriter.getContext()));
  return onnx::ConstantOp::create(rewriter, loc, type, DenseElementsAttr::get(type, strings));
}

Value join(PatternRewriter &rewriter, Location loc, ValueRange parts, int64_t axis) {
  NamedAttribute along = rewriter.getNamedAttr("axis", rewriter.getI64IntegerAttr(axis));
  return createInferred<onnx::ConcatOp>(rewriter, loc, 1, parts, along).getConcatResult();
}

/// Creates the maximum along some axes, or along all if none are given.
Value greatest(PatternRewriter &rewriter, Location loc, Value numbers, ArrayRef<int64_t> axes, bool keepDims) {
  Value along = axes.empty() ? onnx::makeNone(rewriter, loc) : onnx::makeIntsConstant(rewriter, loc, axes);
  NamedAttribute keep = rewriter.getNamedAttr("keepdims", rewriter.getI64IntegerAttr(keepDims));
  return createInferred<onnx::ReduceMaxOp>(rewriter, loc, 1, {numbers, along}, keep).getReduced();
}

Value negate(PatternRewriter &rewriter, Location loc, Value condition) {
  return createInferred<onnx::NotOp>(rewriter, loc, 1, condition).getY();
}

/// A Compress of the strings, followed by an empty string that is kept if no other is.
struct NormalizeStrings : OpRewritePattern<onnx::StringNormalizerOp> {
  using OpRewritePattern::OpRewritePattern;

  /// Returns, for each element of the vector `strings`, whether it is a stop word.
  static Value findStopWords(onnx::StringNormalizerOp op, PatternRewriter &rewriter, Value strings) {
    Location loc = op.getLoc();
    bool isSensitive = op.getIsCaseSensitive() != 0, isAscii = true;
    std::vector<std::string> words;
    for (StringRef word : op.getStopwordsAttr().getAsValueRange<StringAttr>()) {
      isAscii &= llvm::all_of(word, [](char c) { return llvm::isASCII(c); });
      words.push_back(isSensitive ? word.str() : word.lower());
    }
    llvm::sort(words);
    words.erase(llvm::unique(words), words.end());
    int64_t count = words.size();
    Value keys = makeStrings(rewriter, loc, {count}, SmallVector<StringRef>(words.begin(), words.end()));
    if (!isSensitive) {
      strings = changeCase(rewriter, loc, strings, "LOWER");
      keys = isAscii ? keys : changeCase(rewriter, loc, keys, "LOWER");
    }
    Value column =
        createInferred<onnx::UnsqueezeOp>(rewriter, loc, 1, {strings, onnx::makeIntsConstant(rewriter, loc, {1})})
            .getExpanded();
    Value isSame = createInferred<onnx::EqualOp>(rewriter, loc, 1, {column, keys}).getC();
    return greatest(rewriter, loc, isSame, {1}, /*keepDims=*/false);
  }

  LogicalResult matchAndRewrite(onnx::StringNormalizerOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::DimList> dims = onnx::getDims(op.getX());
    auto type = cast<TensorType>(op.getY().getType());
    if (!dims || !type.hasRank() || (dims->size() == 2 && dims->front() != 1))
      return failure();
    Location loc = op.getLoc();
    bool hasStopWords = op.getStopwords() && !op.getStopwords()->empty();
    StringRef action = op.getCaseChangeAction();
    Value strings = action == "NONE" ? op.getX() : changeCase(rewriter, loc, op.getX(), action);
    int64_t axis = dims->size() - 1;
    Value empty = makeStrings(rewriter, loc, SmallVector<int64_t>(dims->size(), 1), StringRef(""));
    if (!hasStopWords && dims->back().isStatic()) {
      rewriter.replaceOp(op, dims->back().getSize() > 0 ? strings : empty);
      return success();
    }
    if (!getCountedSize(op))
      return failure();
    Value vector = flatten(rewriter, loc, op.getX()), isKept;
    if (hasStopWords)
      isKept = negate(rewriter, loc, findStopWords(op, rewriter, vector));
    else
      isKept = createInferred<onnx::EqualOp>(rewriter, loc, 1, {vector, vector}).getC();
    Value isNoneKept = negate(rewriter, loc, greatest(rewriter, loc, isKept, {0}, /*keepDims=*/true));
    Value condition = join(rewriter, loc, {isKept, isNoneKept}, 0);
    NamedAttribute along = rewriter.getNamedAttr("axis", rewriter.getI64IntegerAttr(axis));
    SmallVector<Value> operands = {join(rewriter, loc, {strings, empty}, axis), condition};
    rewriter.replaceOpWithNewOp<onnx::CompressOp>(op, TypeRange(type), operands, ArrayRef<NamedAttribute>(along));
    return success();
  }
};

/// Computes the most parts that a string may have, and keeps as many as the string with most parts has.
struct SplitStrings : OpRewritePattern<onnx::StringSplitOp> {
  using OpRewritePattern::OpRewritePattern;

  static std::optional<int64_t> findBound(onnx::StringSplitOp op) {
    std::optional<int64_t> most = op.getMaxParts();
    if (std::optional<int64_t> splits = op.getMaxsplit(); splits && *splits < INT64_MAX)
      most = std::min(most.value_or(INT64_MAX), *splits + 1);
    return most;
  }

  LogicalResult matchAndRewrite(onnx::StringSplitOp op, PatternRewriter &rewriter) const override {
    std::optional<Dim> size = getCountedSize(op);
    std::optional<onnx::DimList> dims = onnx::getDims(op.getX());
    std::optional<int64_t> bound = findBound(op);
    if (!size || !dims || !bound)
      return failure();
    Location loc = op.getLoc();
    SmallVector<NamedAttribute> attributes = {
        rewriter.getNamedAttr("delimiter", rewriter.getStringAttr(op.getDelimiter().value_or("")))};
    if (op.getMaxsplit())
      attributes.push_back(rewriter.getNamedAttr("maxsplit", op.getMaxsplitAttr()));
    Value counts = createInferred<onnx::CountPartsOp>(rewriter, loc, 1, op.getX(), attributes).getY();
    // The maximum of no strings would be undefined, so it is at least zero.
    Value zero = onnx::makeIntConstant(rewriter, loc, 0), one = onnx::makeIntConstant(rewriter, loc, 1);
    Value count =
        createInferred<onnx::MaxOp>(rewriter, loc, 1, {greatest(rewriter, loc, counts, {}, /*keepDims=*/false), zero})
            .getResult();
    Value end = onnx::makeIntConstant(rewriter, loc, *bound);
    Value numbers = createInferred<onnx::RangeOp>(rewriter, loc, 1, {zero, end, one}).getOutput();
    SmallVector<int64_t> shape(dims->size() + 1, 1), permutation;
    shape[0] = -1;
    Value rows =
        createInferred<onnx::ReshapeOp>(rewriter, loc, 1, {numbers, onnx::makeIntsConstant(rewriter, loc, shape)})
            .getReshaped();
    Value row =
        createInferred<onnx::UnsqueezeOp>(rewriter, loc, 1, {op.getX(), onnx::makeIntsConstant(rewriter, loc, {0})})
            .getExpanded();
    Value parts = createInferred<onnx::TakePartOp>(rewriter, loc, 1, {row, rows}, attributes).getY();
    for (int64_t axis = 1; axis <= int64_t(dims->size()); ++axis)
      permutation.push_back(axis);
    permutation.push_back(0);
    NamedAttribute perm = rewriter.getNamedAttr("perm", rewriter.getDenseI64ArrayAttr(permutation));
    Value taken = createPrefix(rewriter, loc, parts, count, *size);
    rewriter.replaceOp(op, {createInferred<onnx::TransposeOp>(rewriter, loc, 1, taken, perm).getTransposed(), counts});
    return success();
  }
};

} // namespace

void populateDecomposeCountedPatterns(RewritePatternSet &patterns) {
  patterns.add<CountNonZero, CountCompress, CountUnique, CountNonMaxSuppression, NormalizeStrings, SplitStrings>(
      patterns.getContext());
}

} // namespace cameo::graph
