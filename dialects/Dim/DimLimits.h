// Minima, maxima, quotients, bounds and estimates of dimensions. If the lesser of two cannot be determined, the result
// is a sum with a DimMinAttr, which is evaluated at run time.
#ifndef CAMEO_DIALECTS_DIM_DIMLIMITS_H
#define CAMEO_DIALECTS_DIM_DIMLIMITS_H

#include "dialects/Dim/Dim.h"

#include "llvm/ADT/StringMap.h"

namespace cameo {

/// Return unknown if an operand is unknown or the difference does not fit into 64 bits.
Dim minDims(const Dim &a, const Dim &b);
Dim maxDims(const Dim &a, const Dim &b);

/// Whether the dimension is never negative, whatever values the symbolic dimensions have; these are never negative
/// themselves.
bool isNeverNegative(const Dim &dim);

/// Returns a / b rounded down. b is never 0, because such a run fails with an error. Returns unknown if a or b may be
/// negative.
Dim floorDivDims(const Dim &a, const Dim &b);

/// Upper bounds of symbolic dimensions, by name.
using DimBounds = llvm::DenseMap<mlir::StringAttr, Dim>;
/// Returns the maximum of `dim` while each name in `bounds` is between 0 and its bound, as an expression without these
/// names. Returns unknown if the maximum cannot be determined.
Dim upperBound(const Dim &dim, const DimBounds &bounds);

/// Returns the dimension with its symbolic dimensions replaced. Returns unknown if the result does not fit into 64
/// bits, and for a division by 0.
Dim replaceNames(const Dim &dim, llvm::function_ref<Dim(mlir::StringAttr name)> replace);
/// Returns the dimension with values for the names in `sizes`; other names stay.
Dim fixSizes(const Dim &dim, const llvm::StringMap<int64_t> &sizes);

/// The value assumed for every symbolic dimension where a choice depends on it or a figure is told: the length of a
/// short text, the side of a small image.
constexpr int64_t estimatedSize = 192;

/// Images of at most this many points have too little work of their own: a number of them that only a run knows is
/// computed at once, and not one image after the other.
constexpr int64_t smallImage = 64;

/// Returns the value if every symbolic dimension is `size`, for heuristics; 0 for an unknown dimension.
double estimateDim(const Dim &dim, double size = estimatedSize);

} // namespace cameo

#endif // CAMEO_DIALECTS_DIM_DIMLIMITS_H
