// Reads and writes tensors as files: NumPy's .npy (versions 1 to 3, C or Fortran order, little or big endian) and
// ONNX's TensorProto (.pb).
#ifndef CAMEO_UTILS_DRIVER_RUN_TENSORFILE_H
#define CAMEO_UTILS_DRIVER_RUN_TENSORFILE_H

#include "utils/Driver/Run/Tensor.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cameo {

/// Reads a file by its extension, .npy or .pb; the tensor is named after the file's stem when it has no name inside.
llvm::Expected<Tensor> readTensorFile(llvm::StringRef path);

/// Decodes one format. Errors name neither the file nor the tensor, because the caller knows them.
llvm::Expected<Tensor> parseNpy(llvm::StringRef bytes);
llvm::Expected<Tensor> parseTensorProto(llvm::StringRef bytes);

/// Encodes as .npy version 1, C order. NumPy has no bfloat16, so such a tensor is written as float32, which represents
/// every value exactly. Strings are written and read as NumPy arrays of str: code points, with the length of the
/// longest string for each element.
std::string encodeNpy(const Tensor &tensor);

/// Encodes as TensorProto with its name, and with raw data or strings.
std::string encodeTensorProto(const Tensor &tensor);

/// Returns the path of the file for tensor `name` in `folder`, with extension `.npy` or `.pb`, or "". Slashes and other
/// characters that are not allowed in file names are replaced by '_'.
std::string findTensorFile(llvm::StringRef folder, llvm::StringRef name);
std::string tensorFileStem(llvm::StringRef name);

} // namespace cameo

#endif
