// Reads a tensor from the text of an option.
#ifndef CAMEO_UTILS_DRIVER_RUN_PARSETENSOR_H
#define CAMEO_UTILS_DRIVER_RUN_PARSETENSOR_H

#include "utils/Driver/Run/Tensor.h"

#include "llvm/Support/Error.h"

namespace cameo {

/// Returns a tensor from numbers separated by commas, or one number for all elements. An unknown size of a vector,
/// below 0, is the number of numbers.
llvm::Expected<Tensor> parseTensor(llvm::StringRef name, cameo_element_type type, llvm::ArrayRef<int64_t> shape,
                                   llvm::StringRef text);

} // namespace cameo

#endif // CAMEO_UTILS_DRIVER_RUN_PARSETENSOR_H
