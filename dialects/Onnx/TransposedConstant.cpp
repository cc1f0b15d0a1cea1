// Constants whose elements are in another order than their bytes: see #onnx.transposed.
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace cameo::onnx;

std::optional<TransposedConstant> cameo::onnx::getTransposedConstant(Attribute value) {
  auto transposed = dyn_cast_or_null<TransposedAttr>(value);
  std::optional<ArrayRef<char>> bytes = transposed ? getRawConstant(transposed.getSource()) : std::nullopt;
  if (!bytes)
    return std::nullopt;
  ArrayRef<int64_t> sizes = transposed.getSource().getType().getShape();
  SmallVector<int64_t> strides = rowMajorStrides(sizes);
  StridedRead read;
  for (int64_t dim : transposed.getPerm()) {
    read.shape.push_back(sizes[dim]);
    read.strides.push_back(strides[dim]);
  }
  return TransposedConstant{*bytes, std::move(read)};
}

DenseResourceElementsAttr cameo::onnx::getResource(Attribute value) {
  if (auto transposed = dyn_cast_or_null<TransposedAttr>(value))
    return transposed.getSource();
  return dyn_cast_or_null<DenseResourceElementsAttr>(value);
}

namespace {

/// A part of a dimension of the source.
struct Part {
  int64_t size, stride;
};

/// Returns, for each dimension of `shape`, the parts of dimensions of `read` that it consists of, the last one varying
/// fastest. `read` must have as many elements as `shape`. Returns nothing if a dimension of one ends inside a dimension
/// of the other and does not divide it.
std::optional<SmallVector<SmallVector<Part>>> partsOf(const StridedRead &read, ArrayRef<int64_t> shape) {
  SmallVector<SmallVector<Part>> parts(shape.size());
  // From the last dimension to the first: the innermost part of a dimension has the stride of that dimension.
  size_t dim = read.shape.size();
  int64_t left = 1, stride = 0;
  for (size_t number = shape.size(); number-- > 0;)
    for (int64_t wanted = shape[number]; wanted > 1;) {
      while (left == 1) {
        --dim;
        left = read.shape[dim];
        stride = read.strides[dim];
      }
      int64_t size = std::min(left, wanted);
      if (left % size != 0 || wanted % size != 0)
        return std::nullopt;
      parts[number].insert(parts[number].begin(), {size, stride});
      left /= size;
      wanted /= size;
      stride *= size;
    }
  return parts;
}

/// Returns `source` in the order of `read`, which must visit each element once: the dimensions of `read` are then a
/// permutation of those of the source.
ElementsAttr makeTransposed(ShapedType type, DenseResourceElementsAttr source, const StridedRead &read) {
  SmallVector<int64_t> outermost = llvm::to_vector(llvm::seq<int64_t>(0, read.shape.size())), perm(read.shape.size());
  llvm::sort(outermost, [&](int64_t a, int64_t b) { return read.strides[a] > read.strides[b]; });
  for (auto [place, dim] : llvm::enumerate(outermost))
    perm[dim] = place;
  auto sizes = llvm::map_to_vector(outermost, [&](int64_t dim) { return read.shape[dim]; });
  bool inOrder = llvm::is_sorted(perm);
  auto shaped = DenseResourceElementsAttr::get(inOrder ? type : RankedTensorType::get(sizes, type.getElementType()),
                                               source.getRawHandle());
  return inOrder ? ElementsAttr(shaped) : TransposedAttr::get(type.getContext(), type, shaped, perm);
}

/// Returns the order in which `value`, transposed or not, reads the elements of its resource.
StridedRead orderOf(ElementsAttr value) {
  if (std::optional<TransposedConstant> transposed = getTransposedConstant(value))
    return transposed->read;
  ArrayRef<int64_t> shape = value.getShapedType().getShape();
  return {llvm::to_vector(shape), rowMajorStrides(shape), 0};
}

} // namespace

ElementsAttr cameo::onnx::transposeConstant(ElementsAttr value, ArrayRef<int64_t> perm) {
  DenseResourceElementsAttr source = getResource(value);
  if (!source || !getRawConstant(source) || !llvm::is_contained({1, 2, 4, 8}, getElementBytes(value.getElementType())))
    return {};
  ArrayRef<int64_t> shape = value.getShapedType().getShape();
  std::optional<SmallVector<SmallVector<Part>>> parts = partsOf(orderOf(value), shape);
  if (!parts)
    return {};
  StridedRead read;
  SmallVector<int64_t> sizes;
  for (int64_t dim : perm) {
    sizes.push_back(shape[dim]);
    for (const Part &part : (*parts)[dim]) {
      read.shape.push_back(part.size);
      read.strides.push_back(part.stride);
    }
  }
  read.collapse();
  return makeTransposed(RankedTensorType::get(sizes, value.getElementType()), source, read);
}

ElementsAttr cameo::onnx::retypeResource(ElementsAttr value, Type elementType) {
  DenseResourceElementsAttr source = getResource(value);
  if (!source)
    return {};
  auto retype = [&](ShapedType type) { return RankedTensorType::get(type.getShape(), elementType); };
  auto retyped = DenseResourceElementsAttr::get(retype(source.getType()), source.getRawHandle());
  auto transposed = dyn_cast<TransposedAttr>(value);
  return transposed
             ? TransposedAttr::get(value.getContext(), retype(transposed.getType()), retyped, transposed.getPerm())
             : ElementsAttr(retyped);
}
