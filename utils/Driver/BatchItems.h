// Models that do the same with each item of a batch.
#ifndef CAMEO_UTILS_DRIVER_BATCHITEMS_H
#define CAMEO_UTILS_DRIVER_BATCHITEMS_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace cameo {

struct ItemMarks {
  std::string symbol;                 ///< the size of the batch
  llvm::SmallVector<unsigned> inputs; ///< numbers of those that hold a part per item; all outputs do
};

/// Runs the pass find-items on a copy of an imported model; nothing when no symbol counts independent items.
std::optional<ItemMarks> findItems(mlir::ModuleOp module);

/// States on the model of one item what it is.
void markItems(mlir::ModuleOp module, const ItemMarks &marks);

} // namespace cameo

#endif
