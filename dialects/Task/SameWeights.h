// Compares the bytes of two constants in memory, each in its layout.
#ifndef CAMEO_DIALECTS_TASK_SAMEWEIGHTS_H
#define CAMEO_DIALECTS_TASK_SAMEWEIGHTS_H

#include "dialects/Task/TaskDialect.h"

namespace cameo::task {

/// Returns the same layout with the fewest loops, outer loops first: blocks of 4 and blocks of 8 are the same layout if
/// there is a single block. Null stays null.
PackingAttr simplifyPacking(PackingAttr packing);

/// Returns the type of the elements that are stored in the layout `packing`, which may be null, of a constant of
/// `type`.
mlir::Type storedElementType(mlir::Type type, PackingAttr packing);

/// Returns the layout of the elements of `constant` as they are stored: `packing`, or row-major order if it is null, of
/// a transposed constant is a layout of its resource. Returns null if the elements are stored in row-major order, or
/// there is no such layout.
PackingAttr packingOfStored(mlir::ElementsAttr constant, PackingAttr packing);

/// Returns the constant whose elements are stored: the resource that a transposed constant transposes, or the constant.
mlir::ElementsAttr storedConstant(mlir::ElementsAttr constant);

struct Weight {
  mlir::ElementsAttr constant;
  PackingAttr packing; ///< simplified; may be null
  int64_t bytes;       ///< in memory
};

/// Returns `constant` in the layout `packing`, which may be null, in the form in which weights are compared: a
/// transposed constant is a layout of its resource.
Weight makeWeight(mlir::ElementsAttr constant, PackingAttr packing, int64_t bytes);

/// Returns a hash of the size, the layout, and the first and last bytes of the constant. Most weights differ in these,
/// so that few are compared completely.
uint64_t hashSample(const Weight &weight);

/// Whether the bytes in memory are equal. May return false for equal bytes if the layouts have their loops in different
/// orders.
bool isSame(const Weight &a, const Weight &b);

} // namespace cameo::task

#endif
