// Rewrites rotary embeddings of com.microsoft: RotaryEmbedding, and variants for multimodal models and Gemma.
#include "frontend/Import/Written/MicrosoftOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Returns the attributes for RotaryEmbedding of the default domain. In com.microsoft the positions precede the caches,
/// which are operands 2 and 3.
SmallVector<NamedAttribute> takeRotation(NodeWriter &w) {
  Value x = w.operand(0);
  int64_t rank = w.rankOf(x), rotated = w.takeInt("rotary_embedding_dim", 0), heads = w.takeInt("num_heads", 0);
  w.expect(w.takeInt("is_packed_batching", 0) == 0, "expected sequences of a batch, got 'is_packed_batching'");
  float scale = w.takeFloat("scale", 1);
  w.expect(scale == 1, "expected a 'scale' of 1");
  w.expect(w.hasFailed() || rank == 3 || rank == 4, "expected an input of rank 3 or 4, got " + Twine(rank));
  std::optional<int64_t> size = knownSize(x, 0), columns = knownSize(w.operand(2), 0);
  if (rank == 3 && heads == 0) {
    w.expect(rotated == 0 && size && columns && *columns > 0 && *size % (2 * *columns) == 0,
             "expected 'num_heads', or a size that the caches divide");
    heads = w.hasFailed() ? 0 : *size / (2 * *columns);
  }
  return {w.attr("interleaved", w.takeInt("interleaved", 0)), w.attr("rotary_embedding_dim", rotated),
          w.attr("num_heads", rank == 3 ? heads : 0)};
}

/// Returns for each column of the caches which of the three positions it uses: 0 for time, 1 for height, 2 for width.
SmallVector<int64_t> takeSections(NodeWriter &w, int64_t columns) {
  SmallVector<int64_t> counts = w.takeInts("mrope_section"), sections;
  int64_t layout = w.takeInt("mrope_layout", 0);
  w.expect(layout == 0 || layout == 1, "expected a 'mrope_layout' of 0 or 1, got " + Twine(layout));
  bool areCounts =
      counts.size() == 3 && llvm::all_of(counts, [&](int64_t count) { return count >= 0 && count <= columns; });
  w.expect(areCounts && counts[0] + counts[1] + counts[2] == columns,
           "expected three counts in 'mrope_section' that add up to the " + Twine(columns) + " columns of the caches");
  if (w.hasFailed())
    return {};
  for (int64_t column = 0; column < columns; ++column) {
    int64_t inTurn = column % 3 != 0 && column < 3 * counts[column % 3] ? column % 3 : 0;
    int64_t inOrder = (column >= counts[0]) + (column >= counts[0] + counts[1]);
    sections.push_back(layout == 1 ? inTurn : inOrder);
  }
  return sections;
}

} // namespace

/// The positions are one number for each token, or a single number, the position of the first token.
WrittenResults cameo::writeRotaryEmbedding(NodeWriter &w) {
  SmallVector<NamedAttribute> attributes = takeRotation(w);
  if (w.hasFailed())
    return {};
  Value x = w.operand(0), places = w.operand(1);
  if (w.rankOf(places) < 2) {
    int64_t axis = w.rankOf(x) == 3 ? 1 : 2;
    Value row = w.make("Add", {w.reshape(places, {1}), w.range(w.sizeOf(x, axis))});
    Value shape = w.make("Concat",
                         {w.make("Shape", x, {w.attr("start", 0), w.attr("end", 1)}),
                          w.make("Shape", x, {w.attr("start", axis), w.attr("end", axis + 1)})},
                         w.attr("axis", 0));
    places = w.make("Expand", {row, shape});
  }
  return {w.make("RotaryEmbedding", {x, w.operand(2), w.operand(3), places}, attributes)};
}

/// Each token has three positions, and each column of the caches is read at one of them.
WrittenResults cameo::writeMRotaryEmbedding(NodeWriter &w) {
  SmallVector<NamedAttribute> attributes = takeRotation(w);
  std::optional<int64_t> columns = knownSize(w.operand(2), 0);
  w.expect(columns.has_value(), "expected caches of cosines and sines of known size");
  w.expect(w.hasFailed() || w.rankOf(w.operand(1)) == 3, "expected three positions for each token");
  SmallVector<int64_t> sections = w.hasFailed() ? SmallVector<int64_t>() : takeSections(w, *columns);
  if (w.hasFailed())
    return {};
  SmallVector<Value> places;
  for (int64_t i = 0; i < 3; ++i)
    places.push_back(w.make("Gather", {w.operand(1), w.scalar(i)}, w.attr("axis", 0)));
  auto rows = [&](Value cache) {
    Value mixed = w.make("Gather", {cache, places[0]}, w.attr("axis", 0));
    for (int64_t i = 1; i < 3; ++i) {
      SmallVector<char> isOther;
      for (int64_t section : sections)
        isOther.push_back(section == i);
      mixed = w.make("Where", {w.flags(isOther), w.make("Gather", {cache, places[i]}, w.attr("axis", 0)), mixed});
    }
    return mixed;
  };
  return {w.make("RotaryEmbedding", {w.operand(0), rows(w.operand(2)), rows(w.operand(3))}, attributes)};
}

/// The operands are angles instead of positions, and queries and keys, each followed by its copy with rotated halves.
WrittenResults cameo::writeGemmaRotaryEmbedding(NodeWriter &w) {
  Value angles = w.operand(0);
  auto row = [&](StringRef function) {
    return w.unsqueeze(w.cast(w.make(function, angles), w.elementOf(w.operand(1))), {1});
  };
  Value cosines = row("Cos"), sines = row("Sin");
  auto rotate = [&](unsigned operand) {
    return w.make("Add",
                  {w.make("Mul", {w.operand(operand), cosines}), w.make("Mul", {w.operand(operand + 1), sines})});
  };
  return {rotate(1), rotate(3)};
}
