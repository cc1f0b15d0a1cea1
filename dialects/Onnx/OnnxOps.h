// All operations of the onnx dialect.
#ifndef CAMEO_DIALECTS_ONNX_ONNXOPS_H
#define CAMEO_DIALECTS_ONNX_ONNXOPS_H

#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Onnx/OnnxInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxActivationOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxAttentionOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxBroadcastOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxConstantOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxConvOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxCountedOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxCropOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxImageOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxIndexOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxLossOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxMatMulOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxMlOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxNormOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxPoolOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxQuantOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxRearrangeOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxRecurrentOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxReduceOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxShapeOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxSignalOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxTextOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxUnaryOps.h.inc"

#endif // CAMEO_DIALECTS_ONNX_ONNXOPS_H
