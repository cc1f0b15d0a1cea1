// The compiler as one function: import, phases, object, header, library or program.
#ifndef CAMEO_UTILS_DRIVER_COMPILEMODEL_H
#define CAMEO_UTILS_DRIVER_COMPILEMODEL_H

#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Run/ModelLibrary.h"
#include "utils/Driver/Run/UnnamedFile.h"

#include "llvm/Support/LogicalResult.h"

namespace cameo {

/// Compiles a model according to `options`. On failure, all errors are reported to standard error and no output file
/// exists.
llvm::LogicalResult compileModel(const CompileOptions &options);

/// Calls `compile`, which must call compileModel, with `options` for a library. Returns a file with the weights that do
/// not fit into the library; the file is empty if they fit, or if `options` name a file for all weights.
llvm::Expected<UnnamedFile> compileWithLargeWeights(const CompileOptions &options,
                                                    llvm::function_ref<llvm::Error(const CompileOptions &)> compile);

/// Opens `options.model`: a shared library directly, an ONNX file after compiling it to one. Large weights go to a
/// separate file. Returns null after a reported error.
std::unique_ptr<ModelLibrary> loadModel(const CompileOptions &options);

} // namespace cameo

#endif
