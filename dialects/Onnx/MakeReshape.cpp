// Makes onnx.Reshape.
#include "dialects/Onnx/MakeReshape.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::onnx {

namespace {

/// How a shape operand states a dimension: as a number, which is -1 for the one that is left over, or as `factor` times
/// the dimension `axis` of the operand.
struct StatedDim {
  int64_t number;
  std::optional<int64_t> axis;
  int64_t factor = 1;
};

} // namespace

static StatedDim stateDim(ArrayRef<Dim> from, const Dim &dim, size_t place) {
  if (dim.isStatic())
    return {dim.getSize(), std::nullopt};
  if (place < from.size() && from[place] == dim)
    return {0, place};
  for (auto [axis, size] : llvm::enumerate(from))
    if (Dim factor = size.isStatic() ? Dim::unknown() : exactDivDims(dim, size); factor.isStatic())
      return {0, axis, factor.getSize()};
  return {-1, std::nullopt};
}

static SmallVector<StatedDim> stateShape(ArrayRef<Dim> from, ArrayRef<Dim> to) {
  SmallVector<StatedDim> stated;
  for (auto [place, dim] : llvm::enumerate(to))
    stated.push_back(stateDim(from, dim, place));
  // A constant is shorter. A size of 0 leaves -1 open.
  auto isDynamic = [](const Dim &dim) { return !dim.isStatic(); };
  if (llvm::count_if(to, isDynamic) == 1 && !llvm::is_contained(to, Dim(0)))
    stated[llvm::find_if(to, isDynamic) - to.begin()] = {-1, std::nullopt};
  return stated;
}

bool canStateShape(ArrayRef<Dim> from, ArrayRef<Dim> to) {
  int64_t open = llvm::count_if(stateShape(from, to), [](const StatedDim &dim) { return dim.number == -1; });
  return open == 0 || (open == 1 && !llvm::is_contained(to, Dim(0)));
}

/// Returns a value with this dimension and its axis: an argument, if one has it, since patterns ask whether other
/// values have one use.
static std::pair<Value, int64_t> findSize(Value value, int64_t axis) {
  Dim dim = (*getDims(value))[axis];
  for (Value argument : value.getParentRegion()->getArguments())
    if (std::optional<DimList> dims = getDims(argument))
      if (auto found = llvm::find(*dims, dim); found != dims->end())
        return {argument, found - dims->begin()};
  return {value, axis};
}

/// Creates a vector of one element.
static Value createSize(OpBuilder &builder, Location loc, Value value, const StatedDim &dim) {
  if (!dim.axis)
    return makeIntsConstant(builder, loc, {dim.number});
  auto type = RankedTensorType::get({1}, builder.getI64Type());
  auto [source, axis] = findSize(value, *dim.axis);
  NamedAttribute range[] = {builder.getNamedAttr("start", builder.getI64IntegerAttr(axis)),
                            builder.getNamedAttr("end", builder.getI64IntegerAttr(axis + 1))};
  Value size = ShapeOp::create(builder, loc, TypeRange(type), ValueRange(source), range);
  if (dim.factor == 1)
    return size;
  return MulOp::create(builder, loc, TypeRange(type), ValueRange{size, makeIntsConstant(builder, loc, {dim.factor})},
                       ArrayRef<NamedAttribute>());
}

static Value createShape(OpBuilder &builder, Location loc, Value value, ArrayRef<StatedDim> stated) {
  if (llvm::none_of(stated, [](const StatedDim &dim) { return dim.axis.has_value(); }))
    return makeIntsConstant(builder, loc, llvm::map_to_vector(stated, [](const StatedDim &dim) { return dim.number; }));
  auto sizes = llvm::map_to_vector(stated, [&](const StatedDim &dim) { return createSize(builder, loc, value, dim); });
  auto type = RankedTensorType::get({static_cast<int64_t>(sizes.size())}, builder.getI64Type());
  return ConcatOp::create(builder, loc, TypeRange(type), sizes,
                          ArrayRef<NamedAttribute>(builder.getNamedAttr("axis", builder.getI64IntegerAttr(0))));
}

Value makeDimReshape(OpBuilder &builder, Location loc, Value value, ArrayRef<Dim> shape) {
  DimList from = *getDims(value);
  assert(canStateShape(from, shape) && "the operand does not give the sizes");
  Value stated = createShape(builder, loc, value, stateShape(from, shape));
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  // With `allowzero`, zeros are sizes and not references to the operand's sizes.
  return ReshapeOp::create(builder, loc, TypeRange(makeTensorType(shape, element)), ValueRange{value, stated},
                           ArrayRef<NamedAttribute>(builder.getNamedAttr("allowzero", builder.getI64IntegerAttr(1))));
}

Value makeReshape(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  return makeDimReshape(builder, loc, value, DimList(shape.begin(), shape.end()));
}

} // namespace cameo::onnx
