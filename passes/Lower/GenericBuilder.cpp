#include "passes/Lower/GenericBuilder.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace cameo::lower {

Shape shapeOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getShape(); }
Type elementOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getElementType(); }
int64_t rankOf(Value tensor) { return shapeOf(tensor).size(); }

int64_t sizeOf(Shape shape) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  return size;
}

Exprs GenericBuilder::dims(unsigned count, unsigned first) {
  Exprs exprs;
  for (unsigned number = 0; number < count; ++number)
    exprs.push_back(dim(first + number));
  return exprs;
}

Value GenericBuilder::empty(Shape shape, Type element) { return tensor::EmptyOp::create(*this, shape, element); }

Value GenericBuilder::filled(Shape shape, TypedAttr value) {
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

Value GenericBuilder::pad(Value tensor, Shape low, Shape high, Value value) {
  // Negative amounts crop.
  auto negative = [](int64_t amount) { return amount < 0; };
  if (llvm::any_of(low, negative) || llvm::any_of(high, negative)) {
    Ints offsets, sizes, moreLow, moreHigh;
    for (auto [extent, before, after] : llvm::zip_equal(shapeOf(tensor), low, high)) {
      int64_t begin = std::min(extent, std::max<int64_t>(-before, 0));
      int64_t end = std::max(begin, extent - std::max<int64_t>(-after, 0));
      offsets.push_back(begin);
      sizes.push_back(end - begin);
      moreLow.push_back(std::max<int64_t>(before, 0));
      moreHigh.push_back(std::max<int64_t>(after, 0));
    }
    Value cropped = slice(tensor, offsets, sizes, Ints(offsets.size(), 1));
    return pad(cropped, moreLow, moreHigh, value);
  }
  auto zero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(low, zero) && llvm::all_of(high, zero))
    return tensor;
  return tensor::PadOp::create(*this, Type(), tensor, getAsIndexOpFoldResult(getContext(), low),
                               getAsIndexOpFoldResult(getContext(), high), value);
}

Value GenericBuilder::pad(Value tensor, Shape low, Shape high, TypedAttr value) {
  return pad(tensor, low, high, arith::ConstantOp::create(*this, value));
}

Value GenericBuilder::slice(Value tensor, Shape offsets, Shape sizes, Shape strides) {
  bool isWhole = sizes == shapeOf(tensor) && llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
  if (isWhole)
    return tensor;
  MLIRContext *context = getContext();
  return tensor::ExtractSliceOp::create(*this, tensor, getAsIndexOpFoldResult(context, offsets),
                                        getAsIndexOpFoldResult(context, sizes), getAsIndexOpFoldResult(context, strides));
}

Value GenericBuilder::insert(Value part, Value into, Shape offsets, Shape strides) {
  MLIRContext *context = getContext();
  return tensor::InsertSliceOp::create(*this, part, into, getAsIndexOpFoldResult(context, offsets),
                                       getAsIndexOpFoldResult(context, shapeOf(part)),
                                       getAsIndexOpFoldResult(context, strides));
}

Value GenericBuilder::reshape(Value tensor, Shape shape) {
  auto from = cast<RankedTensorType>(tensor.getType());
  auto to = RankedTensorType::get(shape, from.getElementType());
  if (from == to)
    return tensor;
  if (to.getNumElements() == 0)
    return empty(shape, from.getElementType());
  if (auto groups = getReassociationIndicesForReshape(from, to)) {
    if (from.getRank() > to.getRank())
      return tensor::CollapseShapeOp::create(*this, to, tensor, *groups);
    return tensor::ExpandShapeOp::create(*this, to, tensor, *groups);
  }
  auto flat = RankedTensorType::get({from.getNumElements()}, from.getElementType());
  return reshape(reshape(tensor, flat.getShape()), shape);
}

Value GenericBuilder::splitDim(Value tensor, int64_t axis, Shape sizes) {
  Ints shape(shapeOf(tensor));
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, sizes.begin(), sizes.end());
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0, next = 0; dim < rankOf(tensor); ++dim) {
    ReassociationIndices &group = groups.emplace_back();
    for (int64_t count = dim == axis ? sizes.size() : 1; count > 0; --count)
      group.push_back(next++);
  }
  return tensor::ExpandShapeOp::create(*this, RankedTensorType::get(shape, elementOf(tensor)), tensor, groups);
}

Value GenericBuilder::joinDims(Value tensor, int64_t first, int64_t count) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rankOf(tensor); ++dim)
    if (dim > first && dim < first + count)
      groups.back().push_back(dim);
    else
      groups.push_back({dim});
  return tensor::CollapseShapeOp::create(*this, tensor, groups);
}

Value GenericBuilder::transpose(Value tensor, ArrayRef<int64_t> permutation) {
  Ints shape;
  Exprs index(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation)) {
    shape.push_back(shapeOf(tensor)[from]);
    index[from] = dim(to);
  }
  return map(shape, elementOf(tensor), {{tensor, index}}, [](ScalarBuilder &, ValueRange args) { return args[0]; });
}

Value GenericBuilder::broadcast(Value tensor, Shape shape) {
  if (shapeOf(tensor) == shape)
    return tensor;
  return map(shape, elementOf(tensor), {spread(tensor, shape)}, [](ScalarBuilder &, ValueRange args) { return args[0]; });
}

Access GenericBuilder::spread(Value tensor, Shape shape) {
  Access access{tensor, {}};
  int64_t lead = static_cast<int64_t>(shape.size()) - rankOf(tensor);
  for (auto [number, extent] : llvm::enumerate(shapeOf(tensor))) {
    int64_t target = lead + static_cast<int64_t>(number);
    // More dimensions than the result: they are of size 1.
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

Value GenericBuilder::map(Shape shape, Type element, ArrayRef<Access> inputs, Body body) {
  // What is one number everywhere is a number in the body, not a tensor to read.
  SmallVector<Access> read;
  for (const Access &input : inputs)
    if (!splatOf(input.tensor))
      read.push_back(input);
  Access result{empty(shape, element), dims(shape.size())};
  return generic({static_cast<unsigned>(shape.size()), 0}, read, {result}, [&](ScalarBuilder &b, ValueRange elements) {
           SmallVector<Value> args;
           unsigned next = 0;
           for (const Access &input : inputs) {
             std::optional<TypedAttr> splat = splatOf(input.tensor);
             args.push_back(splat ? b.constant(*splat) : elements[next++]);
           }
           return Values{body(b, args)};
         }).front();
}

Value GenericBuilder::compute(Shape shape, Type element, ArrayRef<Access> inputs, Body body) {
  return map(shape, element, inputs, [&](ScalarBuilder &b, ValueRange args) {
    SmallVector<Value> wide;
    for (Value arg : args)
      wide.push_back(b.widen(arg));
    Value result = body(b, wide);
    return isa<FloatType>(element) ? b.convert(result, element) : result;
  });
}

Value GenericBuilder::elementwise(Shape shape, Type element, ArrayRef<Value> inputs, Body body) {
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
  auto op = linalg::GenericOp::create(*this, ValueRange(resultTensors).getTypes(), inputTensors, resultTensors, maps, kinds,
                                      [&](OpBuilder &builder, Location loc, ValueRange args) {
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
  Ints shape;
  Exprs target;
  unsigned kept = 0;
  for (int64_t axis = 0; axis < rank; ++axis) {
    bool isReduced = llvm::is_contained(axes, axis);
    if (!isReduced || keepDims) {
      shape.push_back(isReduced ? 1 : shapeOf(tensor)[axis]);
      target.push_back(isReduced ? fixed(0) : dim(kept));
    }
    kept += !isReduced;
  }
  Loops loops{static_cast<unsigned>(rank - axes.size()), static_cast<unsigned>(axes.size())};
  return generic(loops, {{tensor, reducedIndex(rank, axes)}}, {{filled(shape, initial), target}},
                 [&](ScalarBuilder &b, ValueRange args) {
                   return Values{body(b, {b.widen(args[0]), args[1]})};
                 })
      .front();
}

} // namespace cameo::lower
