// The shape rule that Conv, ConvInteger and QLinearConv share. For the .cpp files of this folder.
#ifndef CAMEO_DIALECTS_ONNX_CONVRULES_H
#define CAMEO_DIALECTS_ONNX_CONVRULES_H

#include "dialects/Onnx/ShapeRules.h"
#include "dialects/Onnx/Windows.h"

namespace cameo::onnx {

/// The numbers of the operands of a convolution, and its attributes.
struct ConvOperands {
  unsigned x;
  unsigned w;
  std::optional<unsigned> bias;
  int64_t group;
  bool channelsLast;
};

mlir::LogicalResult inferConvolution(mlir::Operation *op, SizeConstraints &sizes, const ConvOperands &operands,
                                     mlir::Type elementType, llvm::SmallVectorImpl<mlir::Type> &types);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_CONVRULES_H
