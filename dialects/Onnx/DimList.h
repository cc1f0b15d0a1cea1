// The dimensions of tensor types, including symbolic ones.
#ifndef CAMEO_DIALECTS_ONNX_DIMLIST_H
#define CAMEO_DIALECTS_ONNX_DIMLIST_H

#include "dialects/Dim/Dim.h"

namespace cameo::onnx {

class DimsAttr;

using DimList = llvm::SmallVector<Dim, 5>;

/// Returns the dimensions of a ranked tensor type, nothing for other types.
std::optional<DimList> getDims(mlir::Type type);
inline std::optional<DimList> getDims(mlir::Value value) { return getDims(value.getType()); }

/// Returns the dimensions of a type without an encoding. `exprs` states the dynamic ones; they are unknown if it is
/// null.
DimList getDims(mlir::RankedTensorType type, DimsAttr exprs);

/// Whether none of the dimensions is unknown.
bool areKnown(llvm::ArrayRef<Dim> dims);

/// Whether a tensor of these dimensions broadcasts to `result` in every run: each is 1 or equals that of the result.
bool broadcastsTo(llvm::ArrayRef<Dim> dims, llvm::ArrayRef<Dim> result);

/// Returns the tensor type with these dimensions. Symbolic ones become its encoding.
mlir::RankedTensorType makeTensorType(llvm::ArrayRef<Dim> dims, mlir::Type elementType);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_DIMLIST_H
