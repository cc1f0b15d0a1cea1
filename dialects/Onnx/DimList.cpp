#include "dialects/Onnx/DimList.h"

#include "dialects/Onnx/OnnxDialect.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

DimList cameo::onnx::getDims(RankedTensorType type, DimsAttr exprs) {
  DimList dims;
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    dims.push_back(!ShapedType::isDynamic(size) ? Dim(size) : exprs ? Dim(exprs.getExprs()[i]) : Dim::unknown());
  return dims;
}

std::optional<DimList> cameo::onnx::getDims(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? std::optional(getDims(tensor, dyn_cast_or_null<DimsAttr>(tensor.getEncoding()))) : std::nullopt;
}

bool cameo::onnx::areKnown(ArrayRef<Dim> dims) {
  return llvm::none_of(dims, [](const Dim &dim) { return dim.isUnknown(); });
}

bool cameo::onnx::broadcastsTo(ArrayRef<Dim> dims, ArrayRef<Dim> result) {
  return dims.size() <= result.size() &&
         llvm::all_of(llvm::zip(dims, result.take_back(dims.size())), [](const auto &pair) {
           const auto &[from, to] = pair;
           return from == 1 || from == to;
         });
}

RankedTensorType cameo::onnx::makeTensorType(ArrayRef<Dim> dims, Type elementType) {
  auto shape = llvm::map_to_vector(dims, [](const Dim &dim) { return dim.getSize(); });
  auto exprs = llvm::map_to_vector(dims, [](const Dim &dim) { return dim.getExpr(); });
  bool hasExpr = llvm::any_of(exprs, [](DimExprAttr expr) { return expr != nullptr; });
  return RankedTensorType::get(shape, elementType,
                               hasExpr ? DimsAttr::get(elementType.getContext(), exprs) : Attribute());
}
