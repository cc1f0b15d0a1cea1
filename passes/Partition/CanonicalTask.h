// One form for all tasks that compute the same: independent of names, of the order in which ops were fused and of the
// machine.
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

/// Sorts the operands of commutative ops in `body` and says in which order everything else belongs.
CanonicalOrder canonicalizeBody(mlir::Block &body);

/// The hexadecimal key of a canonical text.
std::string hashText(llvm::StringRef text);

} // namespace cameo::partition

#endif
