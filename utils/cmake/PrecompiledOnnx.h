// The same for files that name operations of the onnx dialect.
#include "utils/cmake/Precompiled.h"

#include "dialects/Onnx/OnnxOps.h"
