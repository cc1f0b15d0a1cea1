#include "frontend/Import/Graph/ImportType.h"

#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/TensorLimits.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

namespace {

StringRef getKindName(const ::onnx::TypeProto &type) {
  switch (type.value_case()) {
  case ::onnx::TypeProto::kSequenceType:
    return "a sequence";
  case ::onnx::TypeProto::kOptionalType:
    return "an optional value";
  case ::onnx::TypeProto::kSparseTensorType:
    return "a sparse tensor";
  default:
    return "a value without a type";
  }
}

LogicalResult checkDims(const ::onnx::TensorShapeProto &shape, Location loc) {
  if (shape.dim_size() > cameo::onnx::kMaxRank)
    return emitError(loc) << "expected at most " << cameo::onnx::kMaxRank << " dimensions, got " << shape.dim_size();
  int64_t count = 1;
  for (const ::onnx::TensorShapeProto::Dimension &dim : shape.dim()) {
    if (!dim.has_dim_value())
      continue;
    int64_t size = dim.dim_value();
    if (size < 0)
      return emitError(loc) << "expected dimensions of at least 0, got " << size;
    if (size != 0 && (llvm::MulOverflow(count, size, count) || count > cameo::onnx::kMaxElements))
      return emitError(loc) << "expected at most 2^48 elements, got a dimension of " << size;
  }
  return success();
}

StatedDim getStatedDim(const ::onnx::TensorShapeProto::Dimension &dim) {
  StatedDim stated;
  if (dim.has_dim_value())
    stated.size = dim.dim_value();
  else
    stated.name = dim.dim_param();
  return stated;
}

/// Returns the element type of a tensor; null if none is stated. Fails after an error if the type is not a tensor.
FailureOr<Type> importElementType(const ::onnx::TypeProto &type, Location loc) {
  if (type.value_case() == ::onnx::TypeProto::VALUE_NOT_SET)
    return Type();
  if (type.has_map_type())
    return emitError(loc)
           << "expected a tensor, got a map, which is supported as an input that DictVectorizer or CastMap takes";
  if (!type.has_tensor_type())
    return emitError(loc) << "expected a tensor, got " << getKindName(type);
  int32_t dataType = type.tensor_type().elem_type();
  Type elementType = cameo::onnx::getElementTypeOf(loc.getContext(), dataType);
  if (!elementType && dataType != 0)
    return emitError(loc) << "expected an element type of ONNX, got number " << dataType;
  return elementType;
}

} // namespace

StatedInput cameo::getStatedInput(StringRef name, const ::onnx::TypeProto &type) {
  StatedInput input{name.str(), {}};
  for (const ::onnx::TensorShapeProto::Dimension &dim : type.tensor_type().shape().dim())
    input.dims.push_back(getStatedDim(dim));
  return input;
}

FailureOr<TensorType> cameo::importInputType(const ::onnx::TypeProto &type, const StatedInput &input,
                                             const DimOptions &dims, Location loc) {
  FailureOr<Type> elementType = importElementType(type, loc);
  if (failed(elementType))
    return failure();
  if (!*elementType)
    return emitError(loc) << "expected an input with an element type, got one without";
  const ::onnx::TypeProto::Tensor &tensor = type.tensor_type();
  // A map input has the type of one of its values here, and its shape in `input`.
  if (!tensor.has_shape() && input.dims.empty())
    return TensorType(UnrankedTensorType::get(*elementType));
  if (failed(checkDims(tensor.shape(), loc)))
    return failure();
  SmallVector<Dim> sizes;
  for (unsigned axis = 0; axis < input.dims.size(); ++axis) {
    sizes.push_back(dims.resolveInput(input, axis, loc.getContext()));
    if (sizes.back().isStatic() && sizes.back().getSize() < 0)
      return emitError(loc) << "expected dimension " << axis << " to be at least 0, got " << sizes.back().getSize();
  }
  return TensorType(cameo::onnx::makeTensorType(sizes, *elementType));
}

FailureOr<TensorType> cameo::importStatedType(const ::onnx::ValueInfoProto &value, const DimOptions &dims,
                                              Location loc) {
  return importStatedType(value, [&](StringRef name) { return dims.resolveStated(name, loc.getContext()); }, loc);
}

FailureOr<TensorType> cameo::importStatedType(const ::onnx::ValueInfoProto &value,
                                              llvm::function_ref<Dim(StringRef)> resolve, Location loc) {
  const ::onnx::TypeProto &type =
      value.type().has_optional_type() ? value.type().optional_type().elem_type() : value.type();
  // The elements of a sequence may have different types.
  if (type.has_sequence_type())
    return TensorType();
  FailureOr<Type> elementType = importElementType(type, loc);
  if (failed(elementType))
    return failure();
  if (!*elementType)
    return TensorType();
  const ::onnx::TypeProto::Tensor &tensor = type.tensor_type();
  if (!tensor.has_shape())
    return TensorType(UnrankedTensorType::get(*elementType));
  if (failed(checkDims(tensor.shape(), loc)))
    return failure();
  SmallVector<Dim> sizes;
  for (const ::onnx::TensorShapeProto::Dimension &dim : tensor.shape().dim()) {
    StatedDim stated = getStatedDim(dim);
    sizes.push_back(stated.name.empty() ? Dim(stated.size) : resolve(stated.name));
  }
  return TensorType(cameo::onnx::makeTensorType(sizes, *elementType));
}
