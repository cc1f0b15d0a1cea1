// Bounds a number by making it the length of a Prefix of a Range of `bound` elements. This length is a size with a name
// and an upper bound, and the shape of the prefix is the number again.
#include "frontend/Import/Graph/BoundNumbers.h"

#include "frontend/Import/Written/NodeWriter.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo;

FailureOr<Value> BoundNumbers::apply(OpBuilder &builder, Location loc, StringRef name, Value value,
                                     llvm::function_ref<std::string()> nameSize) {
  SmallVector<std::optional<int64_t>> most;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  int64_t count = type && type.hasStaticShape() && type.getRank() <= 1 ? type.getNumElements() : -1;
  for (const auto &[key, bound] : bounds) {
    auto [before, text] = StringRef(key).rsplit(':');
    int64_t place = -1;
    bool isForAll = key == name, isForOne = !isForAll && before == name && !text.getAsInteger(10, place) && place >= 0;
    if (!isForAll && !isForOne)
      continue;
    used.insert(key);
    if (count < 0 || !isa<IntegerType>(type.getElementType()) || type.getElementType().isInteger(1))
      return emitError(loc) << "expected an integer, or a vector of integers of known length, to bound '" << name
                            << "', got " << value.getType();
    if (isForOne && place >= count)
      return emitError(loc) << "expected an index below " << count << " to bound '" << name << "', got " << place;
    most.resize(count);
    for (int64_t i = isForAll ? 0 : place; i < (isForAll ? count : place + 1); ++i)
      most[i] = std::min(bound, most[i].value_or(bound));
  }
  if (most.empty())
    return value;
  NodeDraft draft{builder, loc, "Prefix", /*version=*/0, {}, {}, {}, {}};
  NodeWriter w(draft);
  SmallVector<Value> numbers;
  for (auto [place, bound] : llvm::enumerate(most)) {
    Value number =
        type.getRank() == 0 ? w.make("Reshape", {value, w.ints(1)}) : w.make("Gather", {value, w.ints(place)});
    if (bound) {
      Value places = w.make("Range", {w.scalar(0), w.scalar(*bound), w.scalar(1)}),
            length = w.make("Reshape", {w.cast(number, w.i64()), w.ints({})});
      if (w.hasFailed())
        return failure();
      Type counted = cameo::onnx::makeTensorType({Dim::named(builder.getStringAttr(nameSize()))}, w.i64());
      Value prefix =
          cameo::onnx::PrefixOp::create(builder, loc, TypeRange(counted), {places, length}, ArrayRef<NamedAttribute>{});
      number = w.cast(w.make("Shape", prefix), type.getElementType());
    }
    numbers.push_back(number);
  }
  Value result = type.getRank() == 0 ? w.make("Reshape", {numbers.front(), w.ints({})})
                                     : w.make("Concat", numbers, w.attr("axis", 0));
  return w.hasFailed() ? FailureOr<Value>(failure()) : result;
}

LogicalResult BoundNumbers::checkUsed(Location loc) const {
  SmallVector<StringRef> keys(bounds.keys());
  llvm::sort(keys);
  for (StringRef key : keys)
    if (!used.contains(key))
      return emitError(loc) << "expected the name of a value of the model's graph to bound, got '" << key << "'";
  return success();
}
