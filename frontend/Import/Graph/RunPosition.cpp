#include "frontend/Import/Graph/RunPosition.h"

#include "frontend/Import/Graph/BranchChoice.h"
#include "frontend/Import/Graph/GuardValue.h"
#include "frontend/Import/Written/NodeWriter.h"

using namespace mlir;
using namespace cameo;

Value RunPosition::isInside(NodeDraft &draft, Value position, Value count, bool mayBeBehind) {
  NodeWriter w(draft);
  Value isFromFront = w.make("GreaterOrEqual", {w.make("Add", {position, count}), w.scalar(0)});
  return w.make("And", {isFromFront, w.make(mayBeBehind ? "LessOrEqual" : "Less", {position, count})});
}

FailureOr<RunPosition> RunPosition::create(NodeDraft &draft, Value position, Value count, bool mayBeBehind,
                                           NameSize nameSize) {
  NodeWriter w(draft);
  Value number = w.make("Reshape", {w.cast(position, w.i64()), w.ints({})});
  Value isValid = isInside(draft, number, count, mayBeBehind);
  number = w.make("Where", {w.make("Less", {number, w.scalar(0)}), w.make("Add", {number, count}), number});
  if (w.hasFailed() || !isValid)
    return failure();
  FailureOr<Value> guarded = guardValue(draft, number, isValid, /*required=*/true, nameSize(kNoAxis));
  if (failed(guarded))
    return failure();
  return RunPosition(draft, *guarded, nameSize);
}

LogicalResult RunPosition::expectOneRank(ArrayRef<Value> elements) const {
  auto first = dyn_cast<RankedTensorType>(elements.front().getType());
  for (Value element : elements) {
    auto type = dyn_cast<RankedTensorType>(element.getType());
    if (!first || !type || type.getElementType() != first.getElementType() || type.getRank() != first.getRank())
      return emitError(draft.loc) << "expected elements of one type and rank, because the position is known only at "
                                     "run time, got "
                                  << elements.front().getType() << " and " << element.getType()
                                  << "; --constant NAME=NUMBERS fixes an input";
  }
  return success();
}

FailureOr<Value> RunPosition::chooseBefore(int64_t place, Value whenBefore, Value otherwise, bool isResult) const {
  NodeWriter w(draft);
  Value isBefore = w.make("Less", {number, w.scalar(place)});
  if (!isBefore)
    return failure();
  auto name = [&](unsigned, int64_t axis) { return nameSize(isResult ? axis : kNoAxis); };
  return BranchChoice(draft, isBefore, name).choose(0, whenBefore, otherwise);
}

FailureOr<Value> RunPosition::take(ArrayRef<Value> elements) const {
  if (failed(expectOneRank(elements)))
    return failure();
  FailureOr<Value> taken = elements.back();
  for (int64_t place = std::ssize(elements) - 1; place > 0 && succeeded(taken); --place)
    taken = chooseBefore(place, elements[place - 1], *taken, /*isResult=*/place == 1);
  return taken;
}

FailureOr<SmallVector<Value>> RunPosition::insert(ArrayRef<Value> elements, Value added) const {
  SmallVector<Value> all(elements), results;
  all.push_back(added);
  if (failed(expectOneRank(all)))
    return failure();
  int64_t count = elements.size();
  for (int64_t place = 0; place <= count; ++place) {
    // The position is here, before this place, or behind it.
    FailureOr<Value> result = place > 0 ? chooseBefore(place, elements[place - 1], added) : added;
    if (succeeded(result) && place < count)
      result = chooseBefore(place + 1, *result, elements[place]);
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  return results;
}

FailureOr<SmallVector<Value>> RunPosition::erase(ArrayRef<Value> elements) const {
  if (failed(expectOneRank(elements)))
    return failure();
  SmallVector<Value> results;
  for (int64_t place = 0; place + 1 < std::ssize(elements); ++place) {
    FailureOr<Value> result = chooseBefore(place + 1, elements[place + 1], elements[place]);
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  return results;
}

FailureOr<SmallVector<Value>> RunPosition::cut(ArrayRef<Value> elements, int64_t axis) const {
  NodeWriter w(draft);
  SmallVector<Value> results;
  for (auto [place, element] : llvm::enumerate(elements)) {
    Value empty = w.make("Slice", {element, w.ints(0), w.ints(0), w.ints(axis)});
    FailureOr<Value> result = empty ? chooseBefore(place + 1, empty, element) : FailureOr<Value>(failure());
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  return results;
}
