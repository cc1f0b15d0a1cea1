// How large dimensions are: the lesser and the greater of two, quotients, and estimates. Where no name tells which of
// two it is, the result is a sum in which `min(x, 0)` is an atom, and each run finds out: as a DimAtom it has the
// dividend x and the divisor 0. The quotient of two sizes has the name `floor((x)/(y))`.
#ifndef CAMEO_DIALECTS_ONNX_DIMLIMITS_H
#define CAMEO_DIALECTS_ONNX_DIMLIMITS_H

#include "dialects/Onnx/DimList.h"

#include "llvm/ADT/StringMap.h"

namespace cameo::onnx {

/// Unknown where an operand is, or where 64 bits do not hold their difference.
Dim minDims(const Dim &a, const Dim &b);
Dim maxDims(const Dim &a, const Dim &b);

/// Whether no sizes that a run may choose make it negative. Names are sizes, so they never are.
bool isNeverNegative(const Dim &dim);

/// a / b rounded down, for sizes: never negative, and a run in which b is 0 is refused. Unknown where a or b may be
/// negative.
Dim floorDivDims(const Dim &a, const Dim &b);

/// The two sizes of such a quotient.
struct SizeQuotient {
  Dim dividend, divisor;
};
/// What the name of a DimAtom is the quotient of; nothing for a name of the model.
std::optional<SizeQuotient> getQuotient(mlir::StringAttr name);

/// The dimension with others in place of the names of the model that it is made of. Unknown where 64 bits do not hold
/// it, and for a quotient by 0.
Dim replaceNames(const Dim &dim, llvm::function_ref<Dim(mlir::StringAttr name)> replace);
/// With these values of the names in `sizes`; others stay.
Dim fixSizes(const Dim &dim, const llvm::StringMap<int64_t> &sizes);

/// The value when every name is `size`, for choices that need one; 0 for an unknown dimension.
double estimateDim(const Dim &dim, double size);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_DIMLIMITS_H
