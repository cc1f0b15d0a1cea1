// How large dimensions are: the lesser and the greater of two, quotients, bounds and estimates. Where nothing tells
// which of two is the lesser, the result is a sum with a DimMinAttr, and each run finds out.
#ifndef CAMEO_DIALECTS_DIM_DIMLIMITS_H
#define CAMEO_DIALECTS_DIM_DIMLIMITS_H

#include "dialects/Dim/Dim.h"

#include "llvm/ADT/StringMap.h"

namespace cameo {

/// Unknown where an operand is, or where 64 bits do not hold their difference.
Dim minDims(const Dim &a, const Dim &b);
Dim maxDims(const Dim &a, const Dim &b);

/// Whether no sizes that a run may choose make it negative. Names are sizes, so they never are.
bool isNeverNegative(const Dim &dim);

/// a / b rounded down, for sizes: never negative, and a run in which b is 0 is refused. Unknown where a or b may be
/// negative.
Dim floorDivDims(const Dim &a, const Dim &b);

/// Greatest values of names, by name.
using DimBounds = llvm::DenseMap<mlir::StringAttr, Dim>;
/// The greatest value of a dimension when each of these names is between 0 and its bound: an expression without them.
/// Unknown where that cannot be told.
Dim upperBound(const Dim &dim, const DimBounds &bounds);

/// The dimension with others in place of the names of the model that it is made of. Unknown where 64 bits do not hold
/// it, and for a quotient by 0.
Dim replaceNames(const Dim &dim, llvm::function_ref<Dim(mlir::StringAttr name)> replace);
/// With these values of the names in `sizes`; others stay.
Dim fixSizes(const Dim &dim, const llvm::StringMap<int64_t> &sizes);

/// The value when every name is `size`, for choices that need one; 0 for an unknown dimension.
double estimateDim(const Dim &dim, double size);

} // namespace cameo

#endif // CAMEO_DIALECTS_DIM_DIMLIMITS_H
