// The compiler as one call: import, phases, object, header, library or program.
#ifndef CAMEO_UTILS_DRIVER_COMPILEMODEL_H
#define CAMEO_UTILS_DRIVER_COMPILEMODEL_H

#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Run/ModelLibrary.h"
#include "utils/Driver/Run/UnnamedFile.h"

#include "llvm/Support/LogicalResult.h"

namespace cameo {

/// Compiles as `options` say. Everything that is wrong is reported to standard error before failure is returned, and
/// then no output file exists.
llvm::LogicalResult compileModel(const CompileOptions &options);

/// Calls `compile`, which is to call compileModel, with `options` for a library, and gives back a file with the weights
/// that it could not hold: empty where it holds them, or where `options` name a file for all weights.
llvm::Expected<UnnamedFile> compileWithLargeWeights(const CompileOptions &options,
                                                    llvm::function_ref<llvm::Error(const CompileOptions &)> compile);

/// Opens `options.model`: a shared library as it is, an ONNX file after compiling it to one, whose weights have a file
/// of their own where they are large. Null after a reported error.
std::unique_ptr<ModelLibrary> loadModel(const CompileOptions &options);

} // namespace cameo

#endif
