// Rewrites operators on labels and categories, which are numbers or strings: LabelEncoder, CategoryMapper,
// OneHotEncoder. Also reads the labels of classifiers.
#include "frontend/Import/Written/MlOperators.h"
#include "frontend/Import/Written/Vocabulary.h"

#include "dialects/Onnx/ConstantData.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Default results for an input that is not in the list.
constexpr StringLiteral kNoString = "_Unused";
constexpr int64_t kNoInteger = -1;

/// Returns the keys or values of a LabelEncoder as a vector, from one of the four attributes that can hold them.
/// Returns null if there are none.
Value readLabels(NodeWriter &w, StringRef which) {
  auto name = [&](StringRef kind) { return (which + "_" + kind).str(); };
  if (w.has(name("strings")))
    return w.strings(w.takeStrings(name("strings")));
  if (w.has(name("int64s")))
    return w.ints(w.takeInts(name("int64s")));
  if (w.has(name("floats")))
    return w.floats(w.takeFloats(name("floats")));
  return w.takeTensor(name("tensor"));
}

/// Largest number of integers per key in the range of a table.
constexpr uint64_t kMostPerKey = 8;

/// Returns the position of the last key that equals an element of `x`, from 1 on, or 0 if none does. Uses a table of
/// all integers between the smallest and the largest key. Returns null if the table would be much larger than the keys.
Value findInRange(NodeWriter &w, Value x, ArrayRef<int64_t> keys) {
  int64_t least = *llvm::min_element(keys), greatest = *llvm::max_element(keys);
  uint64_t last = static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
  if (last >= kMostPerKey * keys.size())
    return {};
  SmallVector<int64_t> places(last + 2, 0);
  for (auto [i, key] : llvm::enumerate(keys))
    places[key - least] = i + 1;
  x = w.cast(x, w.i64());
  Value isInside =
      w.make("And", {w.make("GreaterOrEqual", {x, w.scalar(least)}), w.make("LessOrEqual", {x, w.scalar(greatest)})});
  Value number = w.make("Where", {isInside, w.make("Sub", {x, w.scalar(least)}), w.scalar(last + 1)});
  return w.make("Gather", {w.ints(places), number});
}

/// Returns for each element of `x` the position of the last key that equals it, from 1 on, or 0 if none does.
Value findNumbers(NodeWriter &w, Value x, Value keys) {
  std::optional<SmallVector<int64_t>> integers = cameo::onnx::getConstantInts(keys);
  if (integers && !integers->empty() && w.elementOf(keys).isSignlessInteger())
    if (Value place = findInRange(w, x, *integers))
      return place;
  Value column = w.make("Unsqueeze", {x, w.ints(-1)}), isKey = w.make("Equal", {column, keys});
  // A NaN key matches all NaN elements.
  if (isa<FloatType>(w.elementOf(keys)))
    isKey = w.make("Or", {isKey, w.make("And", {w.make("IsNaN", column), w.make("IsNaN", keys)})});
  int64_t count = cast<RankedTensorType>(keys.getType()).getNumElements();
  Value places = w.ints(llvm::to_vector(llvm::seq<int64_t>(1, count + 1)));
  Value found = w.make("Where", {isKey, places, w.ints(0)});
  return w.make("ReduceMax", {found, w.ints(-1)}, w.attr("keepdims", 0));
}

Value findStrings(NodeWriter &w, Value x, ArrayRef<std::string> keys) {
  Vocabulary vocabulary(keys);
  SmallVector<int64_t> places(vocabulary.size() + 1, 0);
  for (auto [i, number] : llvm::enumerate(vocabulary.numbersOf(keys)))
    places[number] = i + 1;
  return w.make("Gather", {w.ints(places), vocabulary.find(w, x)});
}

/// Returns a vector of `otherwise`, a tensor of one element, followed by the values.
Value makeTable(NodeWriter &w, Value otherwise, Value values) {
  if (!w.isString(values))
    return w.make("Concat", {w.make("Reshape", {w.cast(otherwise, w.elementOf(values)), w.ints(1)}), values},
                  w.attr("axis", 0));
  SmallVector<std::string> table = w.stringsOf(otherwise);
  llvm::append_range(table, w.stringsOf(values));
  return w.strings(table);
}

/// Replaces each element of the input by the value of the last key that equals it, or by `otherwise` if none does.
WrittenResults translate(NodeWriter &w, Value keys, Value values, Value otherwise) {
  auto keyType = dyn_cast<RankedTensorType>(keys.getType()), valueType = dyn_cast<RankedTensorType>(values.getType());
  w.expect(keyType.getRank() == 1 && valueType == keyType.clone(valueType.getElementType()),
           "expected vectors of as many values as keys");
  w.expect(w.elementOf(w.operand(0)) == w.elementOf(keys), "expected keys of the element type of the input");
  w.expect(cast<RankedTensorType>(otherwise.getType()).getNumElements() == 1 &&
               w.isString(otherwise) == w.isString(values),
           "expected a default that is one value of the kind of the others");
  if (w.hasFailed())
    return {};
  Value place = w.isString(keys) ? findStrings(w, w.operand(0), w.stringsOf(keys)) : findNumbers(w, w.operand(0), keys);
  return {w.make("Gather", {makeTable(w, otherwise, values), place})};
}

/// Replaces strings by integers if the input holds strings, otherwise integers by strings.
WrittenResults translateEitherWay(NodeWriter &w, ArrayRef<int64_t> integers, ArrayRef<std::string> strings) {
  Value noInteger = w.ints(w.takeInt("default_int64", kNoInteger)),
        noString = w.strings(w.takeString("default_string", kNoString));
  if (w.hasFailed())
    return {};
  Value numbers = w.ints(integers), words = w.strings(strings);
  return w.isString(w.operand(0)) ? translate(w, words, numbers, noInteger) : translate(w, numbers, words, noString);
}

} // namespace

Value cameo::takeClassLabels(NodeWriter &w, StringRef integersName) {
  SmallVector<int64_t> integers = w.takeInts(integersName);
  SmallVector<std::string> strings = w.takeStrings("classlabels_strings");
  w.expect(integers.empty() != strings.empty(), "expected either '" + integersName + "' or 'classlabels_strings'");
  return strings.empty() ? w.ints(integers) : w.strings(strings);
}

WrittenResults cameo::importLabelEncoder(NodeWriter &w) {
  // In operator set 1 the number of each string is its position in `classes_strings`.
  if (w.has("classes_strings")) {
    SmallVector<std::string> classes = w.takeStrings("classes_strings");
    return translateEitherWay(w, llvm::to_vector(llvm::seq<int64_t>(0, classes.size())), classes);
  }
  Value keys = readLabels(w, "keys"), values = readLabels(w, "values"), otherwise = w.takeTensor("default_tensor");
  float noFloat = w.takeFloat("default_float", -0.0f);
  int64_t noInteger = w.takeInt("default_int64", kNoInteger);
  std::string noString = w.takeString("default_string", kNoString);
  w.expect(keys && values, "expected keys and values");
  if (w.hasFailed())
    return {};
  if (!otherwise)
    otherwise = w.isString(values)                    ? w.strings(noString)
                : isa<FloatType>(w.elementOf(values)) ? w.floats(noFloat)
                                                      : w.ints(noInteger);
  return translate(w, keys, values, otherwise);
}

WrittenResults cameo::importCategoryMapper(NodeWriter &w) {
  SmallVector<int64_t> integers = w.takeInts("cats_int64s");
  return translateEitherWay(w, integers, w.takeStrings("cats_strings"));
}

/// An unknown category gives zeros, even if `zeros` requires a failure, because a run has no such error.
WrittenResults cameo::importOneHotEncoder(NodeWriter &w) {
  SmallVector<int64_t> categories = w.takeInts("cats_int64s");
  SmallVector<std::string> strings = w.takeStrings("cats_strings");
  w.takeInt("zeros", 1);
  w.expect(categories.empty() != strings.empty(), "expected either 'cats_int64s' or 'cats_strings'");
  w.expect(w.isString(w.operand(0)) == categories.empty(), "expected categories of the kind of the input");
  if (w.hasFailed())
    return {};
  Value numbers;
  if (strings.empty()) {
    numbers = w.cast(w.operand(0), w.i64());
  } else {
    Vocabulary vocabulary(strings);
    categories = vocabulary.numbersOf(strings);
    numbers = vocabulary.find(w, w.operand(0));
  }
  return {w.cast(w.make("Equal", {w.make("Unsqueeze", {numbers, w.ints(-1)}), w.ints(categories)}), w.f32())};
}
