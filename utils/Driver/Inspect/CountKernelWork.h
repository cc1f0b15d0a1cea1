// Counts what the blocks of a GPU kernel compute and access, by the trip counts of its loops.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_COUNTKERNELWORK_H
#define CAMEO_UTILS_DRIVER_INSPECT_COUNTKERNELWORK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <vector>

namespace cameo {

/// A number is missing where the sizes of a run decide it.
struct KernelWork {
  struct Piece {
    std::optional<int64_t> blocks;
    std::optional<double> multiplyAdds, accessedBytes; ///< of a block, the mean where blocks divide sums
    int64_t parts = 1; ///< blocks that divide a sum, of which the last one to finish computes what is behind it
  };
  std::vector<Piece> pieces;                  ///< ranges of blocks with bodies of their own, in order
  std::vector<std::optional<double>> buffers; ///< for each argument that is a buffer, the bytes that all blocks access
};

/// Counts the work of `kernel`, a kernel of `threads` threads a block after passes/Memory. Both branches of a condition
/// count, and all threads. What the last block of those that divide a sum does counts once for all of them.
KernelWork countKernelWork(mlir::func::FuncOp kernel, int64_t threads, std::optional<int64_t> blocks);

} // namespace cameo

#endif
