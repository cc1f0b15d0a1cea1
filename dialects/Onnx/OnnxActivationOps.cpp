// Activation functions: their shape rule comes with their class.
#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/OnnxActivationOps.cpp.inc"
