// Tensors as files: NumPy's .npy (versions 1 to 3, C or Fortran order, little or big endian) and ONNX's TensorProto
// (.pb).
#ifndef CAMEO_UTILS_DRIVER_RUN_TENSORFILE_H
#define CAMEO_UTILS_DRIVER_RUN_TENSORFILE_H

#include "utils/Driver/Run/Tensor.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cameo {

/// Reads a file by its extension, .npy or .pb; the tensor is named after the file's stem when it has no name inside.
llvm::Expected<Tensor> readTensorFile(llvm::StringRef path);

/// Decodes one form. Errors name neither the file nor the tensor: the caller knows which.
llvm::Expected<Tensor> parseNpy(llvm::StringRef bytes);
llvm::Expected<Tensor> parseTensorProto(llvm::StringRef bytes);

/// Encodes as .npy version 1, C order. NumPy has no bfloat16: such a tensor is written as float32, which holds every
/// value. Texts are written, and read, as NumPy's arrays of str: code points, as many per element as the longest has.
std::string encodeNpy(const Tensor &tensor);

/// Encodes as TensorProto with raw data, or texts, name included.
std::string encodeTensorProto(const Tensor &tensor);

/// The file of tensor `name` in `folder` with extension `.npy` or `.pb`, or an empty string. Slashes and other
/// characters that file names cannot hold are '_' in the file's name.
std::string findTensorFile(llvm::StringRef folder, llvm::StringRef name);
std::string tensorFileStem(llvm::StringRef name);

} // namespace cameo

#endif
