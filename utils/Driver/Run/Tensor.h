// A dense tensor in memory of the tools: read from files, random, passed to models, or compared.
#ifndef CAMEO_UTILS_DRIVER_RUN_TENSOR_H
#define CAMEO_UTILS_DRIVER_RUN_TENSOR_H

#include "cameo/abi.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace cameo {

struct Tensor {
  std::string name;
  cameo_element_type type = CAMEO_FLOAT32;
  llvm::SmallVector<int64_t, 4> shape;

  Tensor() = default;
  /// Allocates storage for `shape` with zeros or empty strings; expects a shape that isAllocatable.
  Tensor(std::string name, cameo_element_type type, llvm::ArrayRef<int64_t> shape);

  int64_t elementCount() const;
  size_t sizeBytes() const;
  char *data() { return storage.get(); }
  const char *data() const { return storage.get(); }

  template <typename T> llvm::MutableArrayRef<T> elements() {
    return {reinterpret_cast<T *>(data()), static_cast<size_t>(elementCount())};
  }
  template <typename T> llvm::ArrayRef<T> elements() const {
    return {reinterpret_cast<const T *>(data()), static_cast<size_t>(elementCount())};
  }

  /// Returns element `index` as a number. The type must not be CAMEO_STRING.
  double valueAt(int64_t index) const;

  bool isString() const { return type == CAMEO_STRING; }
  /// Accesses element `index` of a tensor of strings. The setter stores a copy, up to the first zero byte.
  llvm::StringRef stringAt(int64_t index) const { return elements<const char *>()[index]; }
  void setString(int64_t index, llvm::StringRef string);
  /// Copies strings that are stored elsewhere, so that the tensor may outlive the memory of the run.
  void keepStrings();

private:
  struct Free {
    void operator()(char *memory) const { ::operator delete[](memory, std::align_val_t(CAMEO_ALIGNMENT)); }
  };
  std::unique_ptr<char, Free> storage;
  std::vector<std::unique_ptr<std::string>> strings; ///< strings that elements point to
};

/// Whether no dimension is negative and the size in bytes fits into the address space.
bool isAllocatable(cameo_element_type type, llvm::ArrayRef<int64_t> shape);

/// Whether this machine has enough memory, including swap. Filling a larger tensor would get the process killed.
bool fitsMemory(cameo_element_type type, llvm::ArrayRef<int64_t> shape);

bool isFloat(cameo_element_type type);

/// Returns the bits of an element in an ONNX file. Some types have less than 8; in memory each such element takes one
/// byte.
unsigned storedBits(cameo_element_type type);

/// "float32", "int64", ...; "unknown" for anything else.
llvm::StringRef elementTypeName(int32_t type);

/// "1x3x224x224"; "scalar" for rank 0.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

float halfToFloat(uint16_t bits);
uint16_t floatToHalf(float value);
float bfloatToFloat(uint16_t bits);
uint16_t floatToBfloat(float value);

} // namespace cameo

#endif
