#include "passes/Lower/Builders/GenericBuilder.h"

#include "dialects/Task/TaskDialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace cameo::lower {

Shape shapeOf(Value tensor) { return Shape(*onnx::getDims(tensor)); }
Type elementOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getElementType(); }
int64_t rankOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getRank(); }

Dim sizeOf(ShapeRef shape) { return productOf(shape); }

int64_t sizeOf(IntsRef shape) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  return size;
}

bool isStatic(ShapeRef shape) {
  return llvm::all_of(shape, [](const Dim &dim) { return dim.isStatic(); });
}

Ints toInts(ShapeRef shape) {
  assert(isStatic(shape) && "the caller reports names");
  return llvm::map_to_vector<6>(shape, [](const Dim &dim) { return dim.getSize(); });
}

Shape toShape(IntsRef sizes) { return Shape(sizes.begin(), sizes.end()); }

Exprs GenericBuilder::dims(unsigned count, unsigned first) {
  Exprs exprs;
  for (unsigned number = 0; number < count; ++number)
    exprs.push_back(dim(first + number));
  return exprs;
}

Value GenericBuilder::size(const Dim &dim) {
  if (dim.isStatic())
    return arith::ConstantIndexOp::create(*this, dim.getSize());
  return task::SizeOp::create(*this, getIndexType(), dim.getExpr());
}

OpFoldResult GenericBuilder::fold(const Dim &dim) {
  return dim.isStatic() ? OpFoldResult(getIndexAttr(dim.getSize())) : OpFoldResult(size(dim));
}

SmallVector<OpFoldResult> GenericBuilder::fold(ShapeRef dims) {
  return llvm::map_to_vector(dims, [&](const Dim &dim) { return fold(dim); });
}

Value GenericBuilder::empty(ShapeRef shape, Type element) {
  SmallVector<Value> sizes;
  for (const Dim &dim : shape)
    if (!dim.isStatic())
      sizes.push_back(size(dim));
  return tensor::EmptyOp::create(*this, typeOf(shape, element), sizes);
}

Value GenericBuilder::filled(ShapeRef shape, TypedAttr value) {
  Value number = arith::ConstantOp::create(*this, value);
  return linalg::FillOp::create(*this, ValueRange{number}, ValueRange{empty(shape, value.getType())}).getResult(0);
}

Value GenericBuilder::constant(DenseElementsAttr value) { return arith::ConstantOp::create(*this, value); }

Value GenericBuilder::constantInts(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, getI64Type());
  return constant(DenseElementsAttr::get(type, values));
}

Value GenericBuilder::constantFloats(Type element, ArrayRef<double> values) {
  SmallVector<Attribute> numbers;
  for (double value : values)
    numbers.push_back(FloatAttr::get(element, value));
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, element);
  return constant(DenseElementsAttr::get(type, numbers));
}

/// Whether the types do not say if this extent is broadcast to `target`: it may be 1 in one run and equal in another.
static bool mayRepeat(const Dim &extent, const Dim &target) { return extent != 1 && extent != target; }

/// Materializes the elements of `tensor` over the last dimensions of `shape`. Elements are repeated where an extent is
/// 1 at run time.
Value GenericBuilder::repeatWhereOne(Value tensor, ShapeRef shape) {
  Shape extents = shapeOf(tensor), result;
  ShapeRef targets = shape.take_back(extents.size());
  for (auto [extent, target] : llvm::zip_equal(extents, targets))
    result.push_back(extent == 1 ? extent : target);
  return map(result, elementOf(tensor), {}, [&](ScalarBuilder &b, ValueRange) {
    SmallVector<Value> at;
    for (auto [number, extent] : llvm::enumerate(extents))
      at.push_back(mayRepeat(extent, result[number]) ? b.clampIndex(b.position(number), extent) : b.position(number));
    return b.extract(tensor, at);
  });
}

Access GenericBuilder::spread(Value tensor, ShapeRef shape) {
  Shape extents = shapeOf(tensor);
  int64_t lead = static_cast<int64_t>(shape.size()) - static_cast<int64_t>(extents.size());
  bool isOpen = lead >= 0 && llvm::any_of(llvm::zip_equal(extents, shape.drop_front(lead)),
                                          [](auto pair) { return mayRepeat(std::get<0>(pair), std::get<1>(pair)); });
  if (isOpen) {
    tensor = repeatWhereOne(tensor, shape);
    extents = shapeOf(tensor);
  }
  Access access{tensor, {}};
  for (auto [number, extent] : llvm::enumerate(extents)) {
    int64_t target = lead + static_cast<int64_t>(number);
    // Dimensions beyond the rank of the result have size 1.
    bool repeats = target < 0 || (extent == 1 && shape[target] != 1);
    access.index.push_back(repeats ? fixed(0) : dim(target));
  }
  return access;
}

Access GenericBuilder::along(Value tensor, int64_t axis) {
  Access access = single(tensor);
  if (sizeOf(shapeOf(tensor)) != 1)
    access.index.back() = dim(axis);
  return access;
}

Access GenericBuilder::single(Value tensor) { return {tensor, Exprs(rankOf(tensor), fixed(0))}; }

static std::optional<TypedAttr> splatOf(Value tensor) {
  DenseElementsAttr value;
  if (!matchPattern(tensor, m_Constant(&value)) || !value.isSplat())
    return std::nullopt;
  return cast<TypedAttr>(value.getSplatValue<Attribute>());
}

Value GenericBuilder::map(ShapeRef shape, Type element, ArrayRef<Access> inputs, Body body) {
  // A splat constant becomes a scalar constant in the body, not a tensor that is read.
  SmallVector<Access> read;
  for (const Access &input : inputs)
    if (!splatOf(input.tensor))
      read.push_back(input);
  Access result{empty(shape, element), dims(shape.size())};
  return generic({static_cast<unsigned>(shape.size()), 0}, read, {result},
                 [&](ScalarBuilder &b, ValueRange elements) {
                   SmallVector<Value> args;
                   unsigned next = 0;
                   for (const Access &input : inputs) {
                     std::optional<TypedAttr> splat = splatOf(input.tensor);
                     args.push_back(splat ? b.constant(*splat) : elements[next++]);
                   }
                   return Values{body(b, args)};
                 })
      .front();
}

Value GenericBuilder::compute(ShapeRef shape, Type element, ArrayRef<Access> inputs, Body body) {
  return map(shape, element, inputs, [&](ScalarBuilder &b, ValueRange args) {
    SmallVector<Value> wide;
    for (Value arg : args)
      wide.push_back(b.widen(arg));
    Value result = body(b, wide);
    return isa<FloatType>(element) ? b.convert(result, element) : result;
  });
}

Value GenericBuilder::elementwise(ShapeRef shape, Type element, ArrayRef<Value> inputs, Body body) {
  SmallVector<Access> accesses;
  for (Value input : inputs)
    accesses.push_back(spread(input, shape));
  return compute(shape, element, accesses, body);
}

Values GenericBuilder::generic(Loops loops, ArrayRef<Access> inputs, ArrayRef<Access> results, ReductionBody body) {
  SmallVector<Value> inputTensors, resultTensors;
  SmallVector<AffineMap> maps;
  unsigned loopCount = loops.parallel + loops.reduction;
  for (const Access &input : inputs) {
    inputTensors.push_back(input.tensor);
    maps.push_back(AffineMap::get(loopCount, 0, input.index, getContext()));
  }
  for (const Access &result : results) {
    resultTensors.push_back(result.tensor);
    maps.push_back(AffineMap::get(loopCount, 0, result.index, getContext()));
  }
  SmallVector<utils::IteratorType> kinds(loops.parallel, utils::IteratorType::parallel);
  kinds.append(loops.reduction, utils::IteratorType::reduction);
  auto op = linalg::GenericOp::create(*this, ValueRange(resultTensors).getTypes(), inputTensors, resultTensors, maps,
                                      kinds, [&](OpBuilder &builder, Location loc, ValueRange args) {
                                        ScalarBuilder scalars(builder, loc);
                                        linalg::YieldOp::create(builder, loc, body(scalars, args));
                                      });
  return Values(op.getResults().begin(), op.getResults().end());
}

Value GenericBuilder::convert(Value tensor, Type element, Sign from, Sign to) {
  if (elementOf(tensor) == element)
    return tensor;
  return map(shapeOf(tensor), element, {whole(tensor)},
             [&](ScalarBuilder &b, ValueRange args) { return b.convert(args[0], element, from, to); });
}

Exprs GenericBuilder::reducedIndex(int64_t rank, ArrayRef<int64_t> axes) {
  Exprs index(rank);
  unsigned kept = 0, reduced = rank - axes.size();
  for (int64_t axis = 0; axis < rank; ++axis)
    index[axis] = dim(llvm::is_contained(axes, axis) ? reduced++ : kept++);
  return index;
}

Value GenericBuilder::reduce(Value tensor, ArrayRef<int64_t> axes, bool keepDims, TypedAttr initial, Body body) {
  int64_t rank = rankOf(tensor);
  Shape extents = shapeOf(tensor), shape;
  Exprs target;
  unsigned kept = 0;
  for (int64_t axis = 0; axis < rank; ++axis) {
    bool isReduced = llvm::is_contained(axes, axis);
    if (!isReduced || keepDims) {
      shape.push_back(isReduced ? Dim(1) : extents[axis]);
      target.push_back(isReduced ? fixed(0) : dim(kept));
    }
    kept += !isReduced;
  }
  Loops loops{static_cast<unsigned>(rank - axes.size()), static_cast<unsigned>(axes.size())};
  return generic(loops, {{tensor, reducedIndex(rank, axes)}}, {{filled(shape, initial), target}},
                 [&](ScalarBuilder &b, ValueRange args) { return Values{body(b, {b.widen(args[0]), args[1]})}; })
      .front();
}

} // namespace cameo::lower
