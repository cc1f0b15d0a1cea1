// Inputs and outputs that are sequences, and outputs that are optional, as tensors that can be compared. A sequence
// NAME is one tensor per element, NAME_0, NAME_1 and so on, and NAME_length where the run decides how many there are. A
// compiled model may also have the elements as slices of one tensor NAME. NAME_present says whether the run has an
// optional output; if the model leaves it out in all runs, there is neither.
#ifndef CAMEO_UTILS_DRIVER_RUN_SEQUENCETENSORS_H
#define CAMEO_UTILS_DRIVER_RUN_SEQUENCETENSORS_H

#include "utils/Driver/Run/Tensor.h"

namespace cameo {

/// Returns the tensors of a sequence: its elements, renamed, and its length, a scalar int64.
std::vector<Tensor> makeSequenceOutputs(llvm::StringRef name, std::vector<Tensor> elements);

/// Returns NAME_present of an output that the run leaves out.
Tensor makeAbsentOutput(llvm::StringRef name);

/// Returns the tensor `name`; null if there is none.
const Tensor *findTensor(llvm::ArrayRef<Tensor> tensors, llvm::StringRef name);

/// Returns the elements of the sequence `name`; none if there is no such sequence.
llvm::SmallVector<const Tensor *> findSequence(llvm::ArrayRef<Tensor> tensors, llvm::StringRef name);

/// Removes what holds anything: the elements behind NAME_length, and NAME where NAME_present says that there is none.
void removeUnusedOutputs(std::vector<Tensor> &outputs);

/// Gives outputs the form that they have in `form`, the outputs of another side: one tensor in place of the elements of
/// a sequence, no length, or no NAME_present where NAME says the same. A sequence whose elements differ in type or
/// shape stays as it is.
void arrangeOutputs(std::vector<Tensor> &outputs, llvm::ArrayRef<Tensor> form);

} // namespace cameo

#endif
