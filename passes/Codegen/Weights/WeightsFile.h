// The weights of a model as bytes: written piece by piece, each constant laid out as the kernels read it.
#ifndef CAMEO_PASSES_CODEGEN_WEIGHTS_WEIGHTSFILE_H
#define CAMEO_PASSES_CODEGEN_WEIGHTS_WEIGHTSFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes the `bytes` of the module's task.weight operations, in order of their offsets.
void writeWeights(mlir::ModuleOp module, int64_t bytes, llvm::raw_ostream &os);

/// A hash of what writeWeights writes, never 0 (which stands for weights in the object).
uint64_t hashWeights(mlir::ModuleOp module, int64_t bytes);

/// An external file: cameo_weights_header of runtime.h, the weights, and the hash once more, aligned, so that `run` can
/// tell the weights of its model without reading before the address that it is given.
void writeWeightsFile(mlir::ModuleOp module, int64_t bytes, uint64_t hash, llvm::raw_ostream &os);

/// The same to the begin of a file, for weights that are not hashed yet: they are read once. Gives the hash.
uint64_t hashAndWriteWeightsFile(mlir::ModuleOp module, int64_t bytes, llvm::raw_pwrite_stream &os);

/// Where the hash lies behind the first weight of `bytes` external ones, and what all take together.
inline int64_t getHashOffset(int64_t bytes) { return llvm::alignTo(bytes, 64); }
inline int64_t getExternalBytes(int64_t bytes) { return getHashOffset(bytes) + 64; }

} // namespace cameo

#endif
