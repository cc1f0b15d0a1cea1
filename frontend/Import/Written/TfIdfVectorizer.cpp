// Rewrites TfIdfVectorizer: compares every window of the input with every n-gram of the pool.
#include "frontend/Import/Written/Vocabulary.h"
#include "frontend/Import/Written/WrittenOperators.h"

#include "dialects/Onnx/DimList.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Largest number of skipped tokens. Each number up to the attribute becomes a comparison of its own.
constexpr int64_t kMostSkips = 256;

/// The n-grams of one length. `tokens` holds them one after the other.
struct Grams {
  int64_t length;
  ArrayRef<int64_t> tokens;

  size_t size() const { return tokens.size() / length; }
};

/// Divides the pool by the length of its n-grams. `starts` holds the first position for each length. Fails the writer
/// if they do not divide the pool into whole n-grams.
SmallVector<Grams> splitPool(NodeWriter &w, ArrayRef<int64_t> pool, ArrayRef<int64_t> starts) {
  SmallVector<Grams> all;
  for (auto [i, start] : llvm::enumerate(starts)) {
    int64_t length = i + 1, end = i + 1 < starts.size() ? starts[i + 1] : pool.size();
    bool fits = start >= 0 && start <= end && end <= static_cast<int64_t>(pool.size()) && (end - start) % length == 0;
    w.expect(fits, "expected 'ngram_counts' that cut the pool into n-grams of each length, got [" + Twine(start) +
                       ", " + Twine(end) + ") for length " + Twine(length));
    if (w.hasFailed())
      return {};
    all.push_back({length, pool.slice(start, end - start)});
  }
  return all;
}

/// Pads rows of dynamic size with `reach` tokens that are in no n-gram, because a row may be shorter than a window.
/// Rows of static size are returned as they are, with a `padding` of 0, because their windows end at the end of the
/// row.
Value padRows(NodeWriter &w, Value rows, ArrayRef<int64_t> pool, int64_t reach, int64_t &padding) {
  std::optional<cameo::onnx::DimList> dims = rows ? cameo::onnx::getDims(rows) : std::nullopt;
  padding = dims && !dims->empty() && !dims->back().isStatic() ? reach : 0;
  if (padding == 0)
    return rows;
  int64_t token = 0;
  SmallVector<int64_t> tokens(pool);
  llvm::sort(tokens);
  for (int64_t other : tokens)
    token += other == token;
  return w.make("Pad", {rows, w.ints({0, padding}), w.scalar(token), w.ints(-1)});
}

/// Returns the number of occurrences of each n-gram in each row, of shape [..., n-grams]. The tokens of an occurrence
/// are `step` positions apart.
Value countGrams(NodeWriter &w, Value rows, const Grams &grams, int64_t step, int64_t padding) {
  constexpr int64_t kToTheEnd = std::numeric_limits<int64_t>::max();
  Value isFound;
  for (int64_t place = 0; place < grams.length; ++place) {
    SmallVector<int64_t> tokens;
    for (size_t gram = place; gram < grams.tokens.size(); gram += grams.length)
      tokens.push_back(grams.tokens[gram]);
    int64_t behind = std::max(padding, (grams.length - 1) * step) - place * step;
    Value window = w.make("Slice", {rows, w.ints(place * step), w.ints(behind == 0 ? kToTheEnd : -behind), w.ints(-1)});
    Value isToken = w.make("Equal", {w.make("Unsqueeze", {window, w.ints(-1)}), w.ints(tokens)});
    isFound = isFound ? w.make("And", {isFound, isToken}) : isToken;
  }
  return w.make("ReduceSum", {w.cast(isFound, w.f32()), w.ints(-2)}, w.attr("keepdims", 0));
}

struct Attributes {
  SmallVector<int64_t> pool, starts, columns;
  SmallVector<std::string> strings; ///< a pool of strings; `pool` then holds their numbers in the vocabulary
  SmallVector<float> weights;
  int64_t shortest, longest, skips;
  std::string mode;
};

Attributes takeAttributes(NodeWriter &w) {
  Attributes a{w.takeInts("pool_int64s"),       w.takeInts("ngram_counts"),      w.takeInts("ngram_indexes"),
               w.takeStrings("pool_strings"),   w.takeFloats("weights"),         w.takeInt("min_gram_length", 0),
               w.takeInt("max_gram_length", 0), w.takeInt("max_skip_count", -1), w.takeString("mode", "")};
  w.expect(a.strings.empty() || a.pool.empty(), "expected either 'pool_int64s' or 'pool_strings'");
  w.expect(w.isString(w.operand(0)) != a.strings.empty(), "expected a pool of the kind of the input");
  if (!a.strings.empty())
    a.pool = Vocabulary(a.strings).numbersOf(a.strings);
  int64_t lengths = a.starts.size();
  w.expect(a.shortest >= 1 && a.longest >= a.shortest && a.longest <= lengths,
           "expected lengths of n-grams in [1, " + Twine(lengths) + "], got " + Twine(a.shortest) + " to " +
               Twine(a.longest));
  w.expect(a.skips >= 0 && a.skips <= kMostSkips,
           "expected 'max_skip_count' in [0, " + Twine(kMostSkips) + "], got " + Twine(a.skips));
  w.expect(a.mode == "TF" || a.mode == "IDF" || a.mode == "TFIDF",
           "expected 'mode' TF, IDF or TFIDF, got '" + Twine(a.mode) + "'");
  return a;
}

/// Fails the writer unless each n-gram has its own column and, if there are weights, a weight.
void checkColumns(NodeWriter &w, const Attributes &a, ArrayRef<Grams> all) {
  size_t count = 0;
  for (const Grams &grams : all)
    count += grams.size();
  bool isInRange = llvm::all_of(a.columns, [](int64_t column) { return column >= 0 && column < (1 << 24); });
  // A DenseSet cannot hold the largest and the smallest integers, which it uses as markers.
  llvm::DenseSet<int64_t> distinct;
  if (isInRange)
    distinct.insert_range(a.columns);
  w.expect(a.columns.size() == count && distinct.size() == count,
           "expected a distinct column below 2^24 in 'ngram_indexes' for each of " + Twine(count) + " n-grams");
  w.expect(a.weights.empty() || a.weights.size() == count,
           "expected a weight for each of " + Twine(count) + " n-grams, got " + Twine(a.weights.size()));
}

/// Returns a tensor of `width` columns, where column columns[i] holds the count of n-gram i. Other columns are zeros,
/// gathered from a column of zeros that is appended to the counts.
Value placeColumns(NodeWriter &w, Value counts, ArrayRef<int64_t> columns, int64_t width) {
  int64_t zero = columns.size();
  SmallVector<int64_t> sources(width, zero);
  for (auto [gram, column] : llvm::enumerate(columns))
    sources[column] = gram;
  if (llvm::is_contained(sources, zero))
    counts = w.make("Pad", {counts, w.ints({0, 1}), w.none(), w.ints(-1)});
  return w.make("Gather", {counts, w.ints(sources)}, w.attr("axis", -1));
}

} // namespace

WrittenResults cameo::importTfIdfVectorizer(NodeWriter &w) {
  Attributes a = takeAttributes(w);
  SmallVector<Grams> all = w.hasFailed() ? SmallVector<Grams>() : splitPool(w, a.pool, a.starts);
  checkColumns(w, a, all);
  if (w.hasFailed())
    return {};
  Value rows = a.strings.empty() ? w.cast(w.operand(0), w.i64()) : Vocabulary(a.strings).find(w, w.operand(0));
  int64_t padding;
  rows = padRows(w, rows, a.pool, (a.longest - 1) * (a.skips + 1), padding);
  SmallVector<Value> parts;
  SmallVector<int64_t> columns;
  SmallVector<float> weights;
  size_t before = 0;
  for (const Grams &grams : all) {
    if (grams.size() > 0 && grams.length >= a.shortest && grams.length <= a.longest) {
      Value sum = countGrams(w, rows, grams, 1, padding);
      for (int64_t skip = 1; skip <= a.skips && grams.length > 1; ++skip)
        sum = w.make("Add", {sum, countGrams(w, rows, grams, skip + 1, padding)});
      parts.push_back(sum);
      columns.append(a.columns.begin() + before, a.columns.begin() + before + grams.size());
      if (!a.weights.empty())
        weights.append(a.weights.begin() + before, a.weights.begin() + before + grams.size());
    }
    before += grams.size();
  }
  w.expect(!parts.empty(), "expected n-grams of the lengths that are counted, got none");
  if (w.hasFailed())
    return {};
  Value counts = w.make("Concat", parts, w.attr("axis", -1));
  if (a.mode == "IDF")
    counts = w.make("Min", {counts, w.number(1, w.f32())});
  if (a.mode != "TF" && !weights.empty())
    counts = w.make("Mul", {counts, w.floats(weights)});
  return {placeColumns(w, counts, columns, *llvm::max_element(a.columns) + 1)};
}
