// The dimensions of tensor types, named ones too.
#ifndef CAMEO_DIALECTS_ONNX_DIMLIST_H
#define CAMEO_DIALECTS_ONNX_DIMLIST_H

#include "dialects/Dim/Dim.h"

namespace cameo::onnx {

class DimsAttr;

using DimList = llvm::SmallVector<Dim, 5>;

/// Dimensions of a ranked tensor type, nothing for another type.
std::optional<DimList> getDims(mlir::Type type);
inline std::optional<DimList> getDims(mlir::Value value) { return getDims(value.getType()); }

/// Those of a type without an encoding, whose open dimensions `exprs` names; unknown ones without it.
DimList getDims(mlir::RankedTensorType type, DimsAttr exprs);

/// The tensor type with these dimensions; expressions become its encoding.
mlir::RankedTensorType makeTensorType(llvm::ArrayRef<Dim> dims, mlir::Type elementType);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_DIMLIST_H
