// Shape rules of interpolation and sampling of images, and of Col2Im.
#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ShapeRules.h"
#include "dialects/Onnx/StatedShapes.h"
#include "dialects/Onnx/Windows.h"

#include <cmath>

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxImageOps.cpp.inc"

//===- Resize --------------------------------------------------------------===//

namespace {

/// Whether an operand is absent or empty: older exporters pass an empty tensor instead of none.
bool isUnused(Value operand) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  return isAbsent(operand) || (type && type.hasStaticShape() && type.getNumElements() == 0);
}

/// Fails after an error if `size` is not a valid size.
LogicalResult checkSize(ResizeOp op, double size) {
  constexpr double kMaxSize = std::numeric_limits<int32_t>::max();
  if (size >= 0 && size <= kMaxSize) // resize_c6
    return success();
  return op.emitOpError() << "expected sizes in [0, " << int64_t(kMaxSize) << "], got " << size;
}

/// Computes the dimensions of the result of a Resize. Dimensions are in ONNX's order for every layout.
class ResizeRule {
public:
  ResizeRule(ResizeOp op, DimList dims, DimList stated, SizeConstraints &sizes)
      : op(op), dims(std::move(dims)), stated(std::move(stated)), sizes(sizes) {}

  FailureOr<DimList> infer() {
    if (failed(readAxes()) ||
        (op.getCoordinateTransformationMode() == "tf_crop_and_resize" && failed(expectCount(op.getRoi(), 2))))
      return failure();
    DimList image = dims;
    LogicalResult result = isUnused(op.getSizes()) ? applyScales() : applySizes();
    if (failed(result))
      return failure();
    for (auto [dim, other] : llvm::zip_equal(dims, stated)) // sizes that are known only at run time
      dim = dim.isUnknown() ? other : dim;
    for (auto [size, resized] : llvm::zip_equal(image, dims))
      if (size != resized && failed(sizes.requireAtLeastFor(productOf(dims), size, 1))) // resize_c7
        return op.emitOpError() << "expected an image with elements to interpolate, got a dimension of 0";
    return std::move(dims);
  }

private:
  LogicalResult readAxes() {
    int64_t rank = dims.size();
    if (!op.getAxes()) {
      axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
      return success();
    }
    FailureOr<SmallVector<int64_t>> normalized = normalizeAxes(op, *op.getAxes(), rank); // resize_c3
    if (succeeded(normalized))
      axes = std::move(*normalized);
    return LogicalResult(normalized);
  }

  LogicalResult expectCount(Value operand, int64_t perAxis = 1) {
    std::optional<DimList> count = getDims(operand);
    int64_t expected = perAxis * axes.size();
    if (!count || (count->size() == 1 && succeeded(sizes.requireEqual(count->front(), expected))))
      return success();
    return op.emitOpError() << "expected " << (perAxis == 1 ? "one value" : "two values") << " per axis, " << expected
                            << ", got " << operand.getType(); // resize_c4
  }

  void forget() {
    for (int64_t axis : axes)
      dims[axis] = Dim::unknown();
  }

  LogicalResult applyScales() {
    if (failed(expectCount(op.getScales())))
      return failure();
    std::optional<SmallVector<Attribute>> scales = getKnownReals(op.getScales());
    if (!scales) {
      forget();
      return success();
    }
    for (auto [axis, scale] : llvm::zip(axes, *scales)) {
      std::optional<double> number;
      if (auto known = dyn_cast_or_null<FloatAttr>(scale))
        number = known.getValueAsDouble();
      if (number && !(*number > 0)) // resize_c5
        return op.emitOpError() << "expected scales above 0, got " << *number;
      if (number == 1)
        continue;
      // ONNX computes the product in f32, the type of the scale.
      Attribute size = makeReal(dims[axis], Float32Type::get(op.getContext()));
      Dim scaled = floorReal(computeReal(DimRealKind::Mul, size, scale));
      if (number && dims[axis].isStatic() &&
          failed(checkSize(op, scaled.isStatic() ? scaled.getSize() : *number * double(dims[axis].getSize()))))
        return failure();
      dims[axis] = scaled;
    }
    return success();
  }

  LogicalResult applySizes() {
    if (failed(expectCount(op.getSizes())))
      return failure();
    std::optional<DimList> stated = getKnownDims(op.getSizes());
    if (!stated) {
      forget();
      return success();
    }
    for (const Dim &size : *stated)
      if (size.isStatic() && failed(checkSize(op, size.getSize())))
        return failure();
    if (op.getKeepAspectRatioPolicy() != "stretch")
      return keepAspectRatio(*stated);
    for (auto [axis, size] : llvm::zip(axes, *stated))
      dims[axis] = size;
    return success();
  }

  /// All axes get one scale, the smallest or the largest of those that the sizes imply. The size of an axis is then the
  /// smallest or largest of those that the scales imply, because rounding is monotonic.
  LogicalResult keepAspectRatio(ArrayRef<Dim> stated) {
    bool isLeast = op.getKeepAspectRatioPolicy() == "not_larger";
    DimList whole = dims;
    for (int64_t axis : axes) {
      std::optional<Dim> scaled;
      for (auto [other, size] : llvm::zip(axes, stated)) {
        Dim own = other == axis ? size : scaleLike(whole[axis], whole[other], size);
        scaled = !scaled ? own : isLeast ? minDims(*scaled, own) : maxDims(*scaled, own);
      }
      if (scaled->isStatic() && failed(checkSize(op, scaled->getSize())))
        return failure();
      dims[axis] = *scaled;
    }
    return success();
  }

  /// Returns dim * (to / from), with halves rounded up.
  static Dim scaleLike(const Dim &dim, const Dim &from, const Dim &to) {
    return from == to ? dim : floorDivDims(dim * to * 2 + from, from * 2);
  }

  ResizeOp op;
  DimList dims, stated;
  SizeConstraints &sizes;
  SmallVector<int64_t> axes;
};

} // namespace

LogicalResult ResizeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 1))) // resize_c1
    return failure();
  if (isUnused(getScales()) == isUnused(getSizes())) // resize_c2
    return emitOpError() << "expected either scales or sizes";
  std::optional<DimList> dims = getDims(getX());
  if (dims) {
    bool isChannelsLast = getChannelsLast() && dims->size() > 2;
    DimList stated(dims->size(), Dim::unknown());
    fillStated(stated, getY());
    for (DimList *each : {&*dims, &stated})
      if (isChannelsLast)
        std::rotate(each->begin() + 1, each->end() - 1, each->end());
    FailureOr<DimList> result = ResizeRule(*this, std::move(*dims), std::move(stated), sizes).infer();
    if (failed(result))
      return failure();
    dims = std::move(*result);
    if (isChannelsLast)
      std::rotate(dims->begin() + 1, dims->begin() + 2, dims->end());
  }
  types.push_back(makeResultType(dims, elementTypeOf(getX())));
  return success();
}

//===- GridSample ----------------------------------------------------------===//

LogicalResult GridSampleOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 3))) // gridsample_c1
    return failure();
  std::optional<DimList> x = getDims(getX()), grid = getDims(getGrid());
  std::optional<DimList> result;
  if (x) {
    int64_t rank = x->size();
    if (failed(expectRank(*this, 1, rank, rank)) /*gridsample_c2*/ ||
        failed(expectDim(*this, sizes, 1, rank - 1, Dim(rank - 2), "coordinates of a point")) /*gridsample_c3*/ ||
        failed(expectDim(*this, sizes, 1, 0, (*x)[0], "batch"))) // gridsample_c4
      return failure();
    if (grid)
      result = makeActivationDims(moreSpecific((*x)[0], (*grid)[0]), (*x)[getChannelAxis(rank, getChannelsLast())],
                                  ArrayRef(*grid).drop_front().drop_back(), getChannelsLast());
    for (const Dim &size : getSpatialDims(*x, getChannelsLast()))
      if (result && failed(sizes.requireAtLeastFor(productOf(*result), size, 1))) // gridsample_c5
        return emitOpError() << "expected an image with elements to sample, got a dimension of 0";
  }
  types.push_back(makeResultType(result, elementTypeOf(getX())));
  return success();
}

//===- RoiAlign ------------------------------------------------------------===//

LogicalResult RoiAlignOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 4, 4)) /*roialign_c1*/ || failed(expectRank(*this, 1, 2, 2)) /*roialign_c2*/ ||
      failed(expectDim(*this, sizes, 1, 1, Dim(4), "corners of a region")) /*roialign_c3*/ ||
      failed(expectRank(*this, 2, 1, 1)))
    return failure();
  std::optional<DimList> x = getDims(getX()), rois = getDims(getRois());
  if (rois && failed(expectDim(*this, sizes, 2, 0, rois->front(), "number of regions"))) // roialign_c4
    return failure();
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  for (int64_t size : {getOutputHeight(), getOutputWidth()})
    if (size < 1 || size > most) // roialign_c5
      return emitOpError() << "expected a result of 1 or more rows and columns, got " << size;
  if (getSamplingRatio() < 0) // roialign_c6
    return emitOpError() << "expected 'sampling_ratio' of 0 or more, got " << getSamplingRatio();
  DimList bins = {Dim(getOutputHeight()), Dim(getOutputWidth())};
  Dim channels = x ? (*x)[getChannelAxis(x->size(), getChannelsLast())] : Dim::unknown();
  DimList dims = makeActivationDims(rois ? rois->front() : Dim::unknown(), channels, bins, getChannelsLast());
  for (const Dim &size : x.value_or(DimList()))
    if (failed(sizes.requireAtLeastFor(productOf(dims), size, 1))) // roialign_c7
      return emitOpError() << "expected an image with elements to sample, got a dimension of 0";
  types.push_back(makeTensorType(dims, elementTypeOf(getX())));
  return success();
}

//===- AffineGrid ----------------------------------------------------------===//

LogicalResult AffineGridOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 3, 3)) || failed(expectRank(*this, 1, 1, 1))) // affinegrid_c1
    return failure();
  std::optional<DimList> theta = getDims(getTheta()), size = getKnownDims(getSize());
  std::optional<DimList> result;
  if (size) {
    int64_t spatialRank = int64_t(size->size()) - 2;
    if (spatialRank != 2 && spatialRank != 3) // affinegrid_c1
      return emitOpError() << "expected a size of 4 or 5 elements, got " << size->size();
    if (failed(expectDim(*this, sizes, 0, 1, Dim(spatialRank), "spatial axes")) ||
        failed(expectDim(*this, sizes, 0, 2, Dim(spatialRank + 1), "spatial axes and 1")) /*affinegrid_c2*/ ||
        failed(expectDim(*this, sizes, 0, 0, size->front(), "batch"))) // affinegrid_c3
      return failure();
    for (const Dim &dim : *size)
      if (failed(sizes.requireAtLeast(dim, 0))) // affinegrid_c4
        return emitOpError() << "expected sizes of 0 or more, got " << dim.getSize();
    result = DimList{theta ? moreSpecific(size->front(), theta->front()) : size->front()};
    result->append(size->begin() + 2, size->end());
    result->push_back(Dim(spatialRank));
  }
  types.push_back(makeResultType(result, elementTypeOf(getTheta())));
  return success();
}

//===- Col2Im --------------------------------------------------------------===//

namespace {

/// Returns the number of positions of a block along an axis; unknown if a size is. Fails if the block does not fit.
FailureOr<Dim> countPlaces(Col2ImOp op, SizeConstraints &sizes, int64_t axis, int64_t rank, const Dim &image,
                           const Dim &block) {
  auto valueOf = [](const std::optional<ArrayRef<int64_t>> &values, int64_t i, int64_t otherwise) {
    return values ? (*values)[i] : otherwise;
  };
  int64_t padding = valueOf(op.getPads(), axis, 0) + valueOf(op.getPads(), rank + axis, 0);
  Dim extent = mulDims(block - 1, Dim(valueOf(op.getDilations(), axis, 1))) + 1;
  Dim slack = image + padding - extent;
  if (failed(sizes.requireAtLeast(image + padding, extent))) // col2im_c7
    return op.emitOpError() << "expected blocks that fit the image, got " << extent.getSize() << " elements for "
                            << image.getSize() << " padded by " << padding;
  return floorDivDim(slack, valueOf(op.getStrides(), axis, 1)) + 1;
}

LogicalResult expectOneOrMore(Operation *op, SizeConstraints &sizes, ArrayRef<Dim> dims) {
  for (const Dim &size : dims)
    if (failed(sizes.requireAtLeast(size, 1))) // col2im_c2
      return op->emitOpError() << "expected sizes of 1 or more, got " << size.getSize();
  return success();
}

} // namespace

LogicalResult Col2ImOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  for (auto [operand, rank] : {std::pair(0, 3), std::pair(1, 1), std::pair(2, 1)})
    if (failed(expectRank(*this, operand, rank, rank))) // col2im_c1
      return failure();
  std::optional<DimList> input = getDims(getInput()), image = getKnownDims(getImageShape()),
                         block = getKnownDims(getBlockShape());
  if (std::optional<DimList> stated = getDims(getOutput()); !image && stated && stated->size() > 2)
    image = DimList(stated->begin() + 2, stated->end());
  else if (image && stated && stated->size() == image->size() + 2)
    for (auto [dim, other] : llvm::zip_equal(*image, ArrayRef<Dim>(*stated).drop_front(2)))
      dim = dim.isUnknown() ? other : dim;
  if (!image) {
    types.push_back(makeResultType(std::nullopt, elementTypeOf(getInput())));
    return success();
  }
  int64_t rank = image->size();
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (rank == 0) // col2im_c1
    return emitOpError() << "expected an image_shape of 1 element or more, got 0";
  if (failed(expectDim(*this, sizes, 2, 0, Dim(rank), "spatial axes")) /*col2im_c1*/ ||
      failed(expectOneOrMore(*this, sizes, *image)) ||
      failed(expectInts(*this, "strides", getStrides(), rank, 1, kMost)) /*col2im_c4*/ ||
      failed(expectInts(*this, "dilations", getDilations(), rank, 1, kMost)) /*col2im_c5*/ ||
      failed(expectInts(*this, "pads", getPads(), 2 * rank, 0, kMost))) // col2im_c6
    return failure();
  DimList result = {input ? (*input)[0] : Dim::unknown(), Dim::unknown()};
  if (block && failed(expectOneOrMore(*this, sizes, *block)))
    return failure();
  if (input && block) {
    Dim elements = productOf(*block), places(1);
    if (failed(sizes.requireMultiple((*input)[1], elements))) // col2im_c3
      return emitOpError() << "expected dimension 1 of the input to be a multiple of a block's " << elements.getSize()
                           << " elements, got " << (*input)[1].getSize();
    result[1] = exactDivDims((*input)[1], elements);
    // A constant block size divides the elements; for other sizes the model is not valid.
    if (result[1].isUnknown() && elements.isStatic())
      result[1] = floorDivDim((*input)[1], elements.getSize());
    for (int64_t axis = 0; axis < rank; ++axis) {
      FailureOr<Dim> count = countPlaces(*this, sizes, axis, rank, (*image)[axis], (*block)[axis]);
      if (failed(count))
        return failure();
      places = places * *count;
    }
    if (failed(expectDim(*this, sizes, 0, 2, places, "positions of a block"))) // col2im_c7
      return failure();
  }
  result.append(image->begin(), image->end());
  types.push_back(makeTensorType(result, elementTypeOf(getInput())));
  return success();
}
