// The canonical form of a task: tasks that compute the same have equal forms, whatever the names, the order in which
// ops were fused, and the machine.
#ifndef CAMEO_PASSES_PARTITION_CANONICALTASK_H
#define CAMEO_PASSES_PARTITION_CANONICALTASK_H

#include "mlir/IR/Block.h"
#include <string>

namespace cameo::partition {

struct CanonicalOrder {
  std::string text;                         // equal for equal tasks
  llvm::SmallVector<mlir::Operation *> ops; // all but the terminator
  llvm::SmallVector<unsigned> arguments;    // canonical position -> argument number now
  llvm::SmallVector<unsigned> results;      // canonical position -> operand of the terminator now
};

/// Sorts the operands of commutative ops in `body` and returns the canonical order of ops, arguments and results.
CanonicalOrder canonicalizeBody(mlir::Block &body);

/// Returns the key of a canonical text: 32 hexadecimal digits.
std::string hashText(llvm::StringRef text);

} // namespace cameo::partition

#endif
