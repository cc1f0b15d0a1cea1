// Writes the weights of a model piece by piece, each constant in the layout that kernels read.
#ifndef CAMEO_PASSES_CODEGEN_WEIGHTS_WEIGHTSFILE_H
#define CAMEO_PASSES_CODEGEN_WEIGHTS_WEIGHTSFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes the `bytes` of the module's task.weight operations, in order of their offsets.
void writeWeights(mlir::ModuleOp module, int64_t bytes, llvm::raw_ostream &os);

/// Returns a hash of the bytes that writeWeights writes. It is never 0, because 0 stands for weights in the object.
uint64_t hashWeights(mlir::ModuleOp module, int64_t bytes);

/// Writes an external weights file: cameo_weights_header of runtime.h, the weights, and the hash again at an aligned
/// offset. So `run` can check the weights without reading before the address that it is given.
void writeWeightsFile(mlir::ModuleOp module, int64_t bytes, uint64_t hash, llvm::raw_ostream &os);

/// Like writeWeightsFile, but also computes the hash, so that the weights are read once. Writes at the start of the
/// file. Returns the hash.
uint64_t hashAndWriteWeightsFile(mlir::ModuleOp module, int64_t bytes, llvm::raw_pwrite_stream &os);

/// Returns the offset of the hash from the first weight, for external weights of `bytes`; and the number of bytes of
/// weights and hash together.
inline int64_t getHashOffset(int64_t bytes) { return llvm::alignTo(bytes, 64); }
inline int64_t getExternalBytes(int64_t bytes) { return getHashOffset(bytes) + 64; }

} // namespace cameo

#endif
