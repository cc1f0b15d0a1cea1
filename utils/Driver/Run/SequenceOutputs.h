// Outputs that are sequences, as tensors that can be compared. A sequence NAME is one tensor per element, NAME_0,
// NAME_1 and so on, and NAME_length where the run decides how many there are. A compiled model may also have the
// elements as slices of one tensor NAME.
#ifndef CAMEO_UTILS_DRIVER_RUN_SEQUENCEOUTPUTS_H
#define CAMEO_UTILS_DRIVER_RUN_SEQUENCEOUTPUTS_H

#include "utils/Driver/Run/Tensor.h"

namespace cameo {

/// Returns the tensors of a sequence: its elements, renamed, and its length, a scalar int64.
std::vector<Tensor> makeSequenceOutputs(llvm::StringRef name, std::vector<Tensor> elements);

/// Removes the elements behind NAME_length, which hold anything.
void removeBeyondLengths(std::vector<Tensor> &outputs);

/// Gives sequences the form that they have in `form`, the outputs of another side: one tensor in place of the elements,
/// or no length. A sequence whose elements differ in type or shape stays as it is.
void arrangeSequences(std::vector<Tensor> &outputs, llvm::ArrayRef<Tensor> form);

} // namespace cameo

#endif
