// Sequences whose length, and optional values whose presence, only the run knows. Like a sequence of known length, each
// is one value of a tuple type.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_RUNSEQUENCE_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_RUNSEQUENCE_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace cameo {

/// The elements of the longest sequence that a run may have. Those from `length` on hold anything.
struct RunSequence {
  llvm::SmallVector<mlir::Value> elements;
  mlir::Value length; ///< a scalar of i64
};

mlir::Value makeRunSequence(mlir::OpBuilder &builder, mlir::Location loc, const RunSequence &sequence);
/// Returns nothing for other values.
std::optional<RunSequence> getRunSequence(mlir::Value value);

/// A tensor or a sequence, which holds anything in runs without it.
struct RunOptional {
  mlir::Value value;
  mlir::Value isPresent; ///< a scalar of i1
};

mlir::Value makeRunOptional(mlir::OpBuilder &builder, mlir::Location loc, const RunOptional &optional);
/// Returns nothing for other values.
std::optional<RunOptional> getRunOptional(mlir::Value value);
/// Returns the tensor or sequence of such a value; other values themselves.
mlir::Value getPresent(mlir::Value value);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_RUNSEQUENCE_H
