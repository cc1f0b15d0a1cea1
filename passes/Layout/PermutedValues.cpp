#include "passes/Layout/PermutedValues.h"

#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::layout {

bool isIdentity(ArrayRef<int64_t> perm) {
  return llvm::all_of(llvm::enumerate(perm),
                      [](auto entry) { return static_cast<int64_t>(entry.index()) == entry.value(); });
}

Perm getChannelsLast(int64_t rank) {
  Perm places = {0, rank - 1};
  for (int64_t i = 2; i < rank; ++i)
    places.push_back(i - 1);
  return places;
}

SmallVector<int64_t> permuteSizes(ArrayRef<int64_t> sizes, ArrayRef<int64_t> places) {
  SmallVector<int64_t> moved(sizes.size());
  for (auto [size, place] : llvm::zip(sizes, places))
    moved[place] = size;
  return moved;
}

RankedTensorType permuteType(RankedTensorType type, ArrayRef<int64_t> places) {
  Attribute encoding = type.getEncoding();
  if (auto dims = dyn_cast_or_null<onnx::DimsAttr>(encoding)) {
    SmallVector<DimExprAttr> moved(dims.getExprs().size());
    for (auto [expr, place] : llvm::zip(dims.getExprs(), places))
      moved[place] = expr;
    encoding = onnx::DimsAttr::get(type.getContext(), moved);
  }
  return RankedTensorType::get(permuteSizes(type.getShape(), places), type.getElementType(), encoding);
}

Value createPermuted(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> places) {
  auto type = cast<RankedTensorType>(value.getType());
  if (isIdentity(places))
    return value;
  RankedTensorType result = permuteType(type, places);
  Perm moved;
  for (auto [size, place] : llvm::zip(type.getShape(), places))
    if (size != 1)
      moved.push_back(place);
  onnx::DimList from = *onnx::getDims(type), to = *onnx::getDims(result);
  if (llvm::is_sorted(moved) && onnx::canStateShape(from, to))
    return onnx::makeDimReshape(builder, loc, value, to);
  Perm perm = permuteSizes(llvm::to_vector(llvm::seq<int64_t>(0, places.size())), places);
  return onnx::TransposeOp::create(
      builder, loc, TypeRange(result), ValueRange(value),
      ArrayRef<NamedAttribute>(builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(perm))));
}

const Permuted *PermutedValues::find(Value value) const {
  auto it = permuted.find(value);
  return it == permuted.end() ? nullptr : &it->second;
}

void PermutedValues::set(Value value, Permuted entry) { permuted[value] = std::move(entry); }

Value PermutedValues::get(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> places) {
  const Permuted *entry = find(value);
  if (entry && ArrayRef<int64_t>(entry->places) == places)
    return entry->value;
  for (const Permuted &made : converted[value])
    if (ArrayRef<int64_t>(made.places) == places)
      return made.value;
  // Close to the value's own op, so that all later users find it.
  Value source = entry ? entry->value : value;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(source);
  Perm step(places);
  if (entry)
    for (auto [from, to] : llvm::zip(entry->places, places))
      step[from] = to;
  Value result = createPermuted(builder, loc, source, step);
  converted[value].push_back({result, Perm(places), false});
  if (!entry)
    set(value, {result, Perm(places), false});
  return result;
}

Value PermutedValues::getOriginal(OpBuilder &builder, Location loc, Value value) {
  const Permuted *entry = find(value);
  if (!entry || !entry->isComputed)
    return value;
  Value &original = originals[value];
  if (original)
    return original;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(entry->value);
  Perm back = permuteSizes(llvm::to_vector(llvm::seq<int64_t>(0, entry->places.size())), entry->places);
  original = createPermuted(builder, loc, entry->value, back);
  return original;
}

} // namespace cameo::layout
