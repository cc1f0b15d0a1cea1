// Fuses the copy of a large operand with the product that reads the copy, in tiles of rows that stay in the cache.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_FUSECOPIES_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_FUSECOPIES_H

#include "passes/Schedule/Nests/Rewrite/FuseNests.h"

namespace cameo::schedule {

/// Rows that one nest copies, and a product that reads the copies and rows that another nest appends to them: a cache
/// of keys or values that grows.
struct CopiedRows {
  size_t copy, product;                   ///< positions of the groups, each of one nest
  llvm::SmallVector<unsigned, 2> outer;   ///< the dimensions of the product with rows of their own, in the order of the
                                          ///< copy
  unsigned rows;                          ///< the dimension of the product over rows: parallel, or its reduction
  llvm::SmallVector<unsigned, 2> sharing; ///< the dimensions of the product whose points read the same elements
  int64_t width;                          ///< elements of a row
  Size count;                             ///< copied rows, which come first

  const LoopNest &copyOf(const TaskProgram &program) const { return program.groups[copy].nests.front(); }
  const LoopNest &productOf(const TaskProgram &program) const { return program.groups[product].nests.front(); }
};

/// Returns the rows that nest number `nest` copies, if nest number `last` is their product.
std::optional<CopiedRows> findCopiedRows(const TaskProgram &program, unsigned nest, unsigned last);

/// Fuses the nests of `found`: a row of the group copies `size` rows and multiplies them. The nests between both run
/// before. The error says that there are too few rows.
llvm::Error fuseCopies(TaskProgram &program, const CopiedRows &found, int64_t size);

} // namespace cameo::schedule

#endif
