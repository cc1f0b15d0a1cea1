// The compiler as one call: import, phases, object, header, library or program.
#ifndef CAMEO_UTILS_DRIVER_COMPILEMODEL_H
#define CAMEO_UTILS_DRIVER_COMPILEMODEL_H

#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/ModelLibrary.h"

#include "llvm/Support/LogicalResult.h"

namespace cameo {

/// Compiles as `options` say. Everything that is wrong is reported to standard error before failure is returned, and
/// then no output file exists.
llvm::LogicalResult compileModel(const CompileOptions &options);

/// Opens `options.model`: a shared library as it is, an ONNX file after compiling it to one. Null after a reported error.
std::unique_ptr<ModelLibrary> loadModel(const CompileOptions &options);

} // namespace cameo

#endif
