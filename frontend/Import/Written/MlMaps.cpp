// Rewrites operators on maps, which are rows whose columns have keys: ZipMap converts tensors to maps, DictVectorizer
// and CastMap convert maps to tensors.
#include "frontend/Import/Inputs/MapSequence.h"
#include "frontend/Import/Written/MlOperators.h"

#include "dialects/Onnx/OnnxDialect.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Returns a vector as a matrix of one row, unless the model states rank 1. DictVectorizer is specified to return a
/// vector, but exporters state and ONNX Runtime returns one row.
Value asStated(NodeWriter &w, Value vector) { return w.statedRank() == 1 ? vector : w.rows(vector); }

/// Returns the values of a map for the keys `wanted`. `known` are its keys, which are sorted and include all of
/// `wanted`: a map is an input (findMapKeys), since no operator takes one from the sequences that ZipMap makes.
template <typename Key> Value pick(NodeWriter &w, const MapSequence &map, ArrayRef<Key> known, ArrayRef<Key> wanted) {
  SmallVector<int64_t> places;
  for (const Key &key : wanted) {
    const Key *place = std::lower_bound(known.begin(), known.end(), key);
    assert(place != known.end() && *place == key && "expected findMapKeys to have found this key");
    places.push_back(place - known.begin());
  }
  bool isAll = places.size() == known.size() && llvm::equal(places, llvm::seq<int64_t>(0, known.size()));
  return isAll ? map.values : w.make("Gather", {map.values, w.ints(places)});
}

} // namespace

WrittenResults cameo::importZipMap(NodeWriter &w) {
  SmallVector<int64_t> integers = w.takeInts("classlabels_int64s");
  SmallVector<std::string> strings = w.takeStrings("classlabels_strings");
  w.expect(integers.empty() != strings.empty(), "expected either 'classlabels_int64s' or 'classlabels_strings'");
  Value rows = w.rows(w.operand(0));
  size_t count = std::max(integers.size(), strings.size());
  auto type = rows ? dyn_cast<RankedTensorType>(rows.getType()) : RankedTensorType();
  bool isOpen = type && type.getRank() == 2 && type.isDynamicDim(1);
  w.expect(type && type.getRank() == 2 && type.getElementType() == w.f32() &&
               (isOpen || type.getDimSize(1) == int64_t(count)),
           "expected floats with a column for each key, " + Twine(count));
  if (w.hasFailed())
    return {};
  if (isOpen) // a run with another number of columns fails at this reshape
    rows = w.make("Reshape", {rows, w.ints({0, int64_t(count)})});
  // The keys of a map are sorted, so the columns are reordered.
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, count));
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return strings.empty() ? integers[a] < integers[b] : strings[a] < strings[b];
  });
  if (!llvm::is_sorted(order))
    rows = w.make("Gather", {rows, w.ints(order)}, w.attr("axis", 1));
  llvm::sort(integers);
  llvm::sort(strings);
  w.expect(std::adjacent_find(integers.begin(), integers.end()) == integers.end() &&
               std::adjacent_find(strings.begin(), strings.end()) == strings.end(),
           "expected distinct keys");
  SmallVector<StringRef> words(strings.begin(), strings.end());
  return {w.maps(rows, strings.empty() ? Attribute(w.builder().getDenseI64ArrayAttr(integers))
                                       : w.builder().getStrArrayAttr(words))};
}

WrittenResults cameo::importDictVectorizer(NodeWriter &w) {
  MapSequence map = *getMapSequence(w.operand(0));
  SmallVector<int64_t> integers = w.takeInts("int64_vocabulary");
  SmallVector<std::string> strings = w.takeStrings("string_vocabulary");
  w.expect(integers.empty() != strings.empty(), "expected either 'int64_vocabulary' or 'string_vocabulary'");
  if (w.hasFailed())
    return {};
  if (auto keys = dyn_cast<DenseI64ArrayAttr>(map.keys))
    return {asStated(w, pick<int64_t>(w, map, keys.asArrayRef(), integers))};
  auto keys =
      llvm::map_to_vector(cast<ArrayAttr>(map.keys).getAsRange<StringAttr>(), [](StringAttr key) { return key.str(); });
  return {asStated(w, pick<std::string>(w, map, keys, strings))};
}

WrittenResults cameo::importCastMap(NodeWriter &w) {
  MapSequence map = *getMapSequence(w.operand(0));
  std::string type = w.takeString("cast_to", "TO_FLOAT"), form = w.takeString("map_form", "DENSE");
  int64_t most = w.takeInt("max_map", 1);
  Type element = type == "TO_FLOAT"   ? w.f32()
                 : type == "TO_INT64" ? w.i64()
                                      : Type(cameo::onnx::StringType::get(w.builder().getContext()));
  w.expect(type == "TO_FLOAT" || type == "TO_INT64" || type == "TO_STRING",
           "expected 'cast_to' TO_FLOAT, TO_STRING or TO_INT64, got " + type);
  w.expect(form == "DENSE" || form == "SPARSE", "expected 'map_form' DENSE or SPARSE, got " + form);
  w.expect(form == "DENSE" || most > 0, "expected 'max_map' to be positive, got " + Twine(most));
  if (w.hasFailed())
    return {};
  Value values = map.values;
  if (form == "SPARSE")
    values = pick<int64_t>(w, map, cast<DenseI64ArrayAttr>(map.keys).asArrayRef(),
                           llvm::to_vector(llvm::seq<int64_t>(0, most)));
  return {w.cast(asStated(w, values), element)};
}
