// The part of GenericBuilder that moves elements without computing: pad, slice, insert, reshape, transpose.
#include "passes/Lower/Builders/GenericBuilder.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;

namespace cameo::lower {

/// Returns the offset and size of what remains of a dimension if `-before` and `-after` elements are cropped; positive
/// amounts do not crop. A dynamic extent is large enough, because the size of the result is a size of the model, and
/// these are checked not to be negative.
static std::pair<Dim, Dim> cropDim(const Dim &extent, const Dim &before, const Dim &after) {
  auto cropped = [](const Dim &amount) { return amount.isStatic() ? std::max<int64_t>(-amount.getSize(), 0) : 0; };
  if (!extent.isStatic())
    return {cropped(before), extent - cropped(before) - cropped(after)};
  int64_t begin = std::min(extent.getSize(), cropped(before));
  return {begin, std::max(begin, extent.getSize() - cropped(after)) - begin};
}

Value GenericBuilder::pad(Value tensor, ShapeRef low, ShapeRef high, Value value) {
  // Negative amounts crop.
  auto negative = [](const Dim &amount) { return amount.isStatic() && amount.getSize() < 0; };
  if (llvm::any_of(low, negative) || llvm::any_of(high, negative)) {
    Shape offsets, sizes, moreLow, moreHigh;
    for (auto [extent, before, after] : llvm::zip_equal(shapeOf(tensor), low, high)) {
      auto [begin, size] = cropDim(extent, before, after);
      offsets.push_back(begin);
      sizes.push_back(size);
      moreLow.push_back(negative(before) ? Dim(0) : before);
      moreHigh.push_back(negative(after) ? Dim(0) : after);
    }
    Value cropped = slice(tensor, offsets, sizes, Ints(offsets.size(), 1));
    return pad(cropped, moreLow, moreHigh, value);
  }
  auto zero = [](const Dim &amount) { return amount == 0; };
  if (llvm::all_of(low, zero) && llvm::all_of(high, zero))
    return tensor;
  Shape shape;
  for (auto [extent, before, after] : llvm::zip_equal(shapeOf(tensor), low, high))
    shape.push_back(extent + before + after);
  return tensor::PadOp::create(*this, typeOf(shape, elementOf(tensor)), tensor, fold(low), fold(high), value);
}

Value GenericBuilder::pad(Value tensor, ShapeRef low, ShapeRef high, TypedAttr value) {
  return pad(tensor, low, high, arith::ConstantOp::create(*this, value));
}

Value GenericBuilder::slice(Value tensor, ShapeRef offsets, ShapeRef sizes, IntsRef strides) {
  bool isWhole =
      ShapeRef(shapeOf(tensor)) == sizes && llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
  return isWhole ? tensor : sliceAt(tensor, fold(offsets), sizes, strides);
}

Value GenericBuilder::sliceAt(Value tensor, ArrayRef<OpFoldResult> offsets, ShapeRef sizes, IntsRef strides) {
  // The offset of a slice must be within the tensor, which is impossible if the tensor has no elements.
  if (llvm::is_contained(sizes, Dim(0)))
    return empty(sizes, elementOf(tensor));
  return tensor::ExtractSliceOp::create(*this, typeOf(sizes, elementOf(tensor)), tensor, offsets, fold(sizes),
                                        getAsIndexOpFoldResult(getContext(), strides));
}

Value GenericBuilder::insert(Value part, Value into, ShapeRef offsets, IntsRef strides) {
  return insertAt(part, into, fold(offsets), strides);
}

Value GenericBuilder::insertAt(Value part, Value into, ArrayRef<OpFoldResult> offsets, IntsRef strides) {
  // A part of lower rank lacks leading dimensions of size 1.
  Shape sizes(offsets.size() - rankOf(part), 1);
  sizes.append(shapeOf(part));
  if (llvm::is_contained(sizes, Dim(0)))
    return into;
  return tensor::InsertSliceOp::create(*this, part, into, offsets, fold(sizes),
                                       getAsIndexOpFoldResult(getContext(), strides));
}

namespace {

/// Numbers of adjacent dimensions of two shapes that hold the same elements.
struct Match {
  int64_t from = 0, to = 0;
};

} // namespace

/// Returns the finest division of two shapes with equal numbers of elements into matches. Dimensions stay together
/// where symbolic sizes are not known to be equal.
static SmallVector<Match> matchShapes(ShapeRef from, ShapeRef to) {
  SmallVector<Match> matches;
  auto findMatch = [&]() -> Match {
    for (size_t i = 1; i <= from.size(); ++i)
      for (size_t j = 1; j <= to.size(); ++j)
        if (sizeOf(from.take_front(i)) == sizeOf(to.take_front(j)))
          return {static_cast<int64_t>(i), static_cast<int64_t>(j)};
    return {static_cast<int64_t>(from.size()), static_cast<int64_t>(to.size())};
  };
  while (!from.empty() && !to.empty()) {
    matches.push_back(findMatch());
    from = from.drop_front(matches.back().from);
    to = to.drop_front(matches.back().to);
  }
  // All remaining dimensions have size 1.
  matches.back().from += from.size();
  matches.back().to += to.size();
  return matches;
}

Value GenericBuilder::castTo(Value tensor, ShapeRef shape) {
  RankedTensorType from = cast<RankedTensorType>(tensor.getType()), to = typeOf(shape, elementOf(tensor));
  return from.getShape() == to.getShape() ? tensor : tensor::CastOp::create(*this, to, tensor);
}

/// Collapses the dimensions of each match, then expands them.
Value GenericBuilder::reshapeSymbolically(Value tensor, ShapeRef shape) {
  Shape old = shapeOf(tensor), ones(shape.size(), 1);
  if (old.empty())
    return castTo(reshape(tensor, ones), shape);
  if (shape.empty())
    return reshape(castTo(tensor, Shape(old.size(), 1)), shape);
  SmallVector<ReassociationIndices> joins, splits;
  Shape joined, split;
  int64_t fromNext = 0, toNext = 0;
  for (const Match &match : matchShapes(old, shape)) {
    joins.push_back(llvm::to_vector<2>(llvm::seq(fromNext, fromNext + match.from)));
    splits.push_back(llvm::to_vector<2>(llvm::seq(toNext, toNext + match.to)));
    joined.push_back(sizeOf(ShapeRef(old).slice(fromNext, match.from)));
    split.push_back(sizeOf(shape.slice(toNext, match.to)));
    fromNext += match.from;
    toNext += match.to;
  }
  Type element = elementOf(tensor);
  if (joined.size() < old.size())
    tensor = tensor::CollapseShapeOp::create(*this, typeOf(joined, element), tensor, joins);
  // A size may be static on one side only.
  tensor = castTo(tensor, split);
  if (split.size() < shape.size())
    tensor = tensor::ExpandShapeOp::create(*this, typeOf(shape, element), tensor, splits, fold(shape));
  return tensor;
}

Value GenericBuilder::reshape(Value tensor, ShapeRef shape) {
  Shape old = shapeOf(tensor);
  if (ShapeRef(old) == shape)
    return tensor;
  Type element = elementOf(tensor);
  if (sizeOf(shape) == 0)
    return empty(shape, element);
  if (!isStatic(old) || !isStatic(shape))
    return reshapeSymbolically(tensor, shape);
  auto from = RankedTensorType::get(toInts(old), element), to = RankedTensorType::get(toInts(shape), element);
  if (auto groups = getReassociationIndicesForReshape(from, to)) {
    if (from.getRank() > to.getRank())
      return tensor::CollapseShapeOp::create(*this, to, tensor, *groups);
    return tensor::ExpandShapeOp::create(*this, to, tensor, *groups);
  }
  return reshape(reshape(tensor, {sizeOf(old)}), shape);
}

Value GenericBuilder::splitDim(Value tensor, int64_t axis, ShapeRef sizes) {
  Shape shape = shapeOf(tensor);
  // The size may be static for the parts and dynamic for the whole, or the other way round.
  if (Dim whole = sizeOf(sizes); whole.isStatic() != shape[axis].isStatic()) {
    shape[axis] = whole;
    tensor = castTo(tensor, shape);
  }
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, sizes.begin(), sizes.end());
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0, next = 0; dim < rankOf(tensor); ++dim) {
    ReassociationIndices &group = groups.emplace_back();
    for (int64_t count = dim == axis ? sizes.size() : 1; count > 0; --count)
      group.push_back(next++);
  }
  return tensor::ExpandShapeOp::create(*this, typeOf(shape, elementOf(tensor)), tensor, groups, fold(shape));
}

Value GenericBuilder::joinDims(Value tensor, int64_t first, int64_t count) {
  SmallVector<ReassociationIndices> groups;
  Shape shape;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(tensor))) {
    if (static_cast<int64_t>(dim) > first && static_cast<int64_t>(dim) < first + count) {
      groups.back().push_back(dim);
      shape.back() = shape.back() * extent;
    } else {
      groups.push_back({static_cast<int64_t>(dim)});
      shape.push_back(extent);
    }
  }
  return tensor::CollapseShapeOp::create(*this, typeOf(shape, elementOf(tensor)), tensor, groups);
}

Value GenericBuilder::transpose(Value tensor, ArrayRef<int64_t> permutation) {
  Shape extents = shapeOf(tensor), shape;
  Exprs index(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation)) {
    shape.push_back(extents[from]);
    index[from] = dim(to);
  }
  return map(shape, elementOf(tensor), {{tensor, index}}, [](ScalarBuilder &, ValueRange args) { return args[0]; });
}

Value GenericBuilder::broadcast(Value tensor, ShapeRef shape) {
  if (ShapeRef(shapeOf(tensor)) == shape)
    return tensor;
  return map(shape, elementOf(tensor), {spread(tensor, shape)},
             [](ScalarBuilder &, ValueRange args) { return args[0]; });
}

} // namespace cameo::lower
