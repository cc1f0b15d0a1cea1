// A dense tensor in the tools' own memory: what is read from files, made at random, given to models and compared.
#ifndef CAMEO_UTILS_DRIVER_TENSOR_H
#define CAMEO_UTILS_DRIVER_TENSOR_H

#include "cameo/abi.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <string>

namespace cameo {

struct Tensor {
  std::string name;
  cameo_element_type type = CAMEO_FLOAT32;
  llvm::SmallVector<int64_t, 4> shape;

  Tensor() = default;
  /// Allocates zeroed storage for `shape`; expects a shape that isAllocatable.
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

  /// Element `index` as a number, whatever the type.
  double valueAt(int64_t index) const;

private:
  struct Free {
    void operator()(char *memory) const { ::operator delete[](memory, std::align_val_t(CAMEO_ALIGNMENT)); }
  };
  std::unique_ptr<char, Free> storage;
};

/// Whether no dimension is negative and the bytes fit into memory's address range.
bool isAllocatable(cameo_element_type type, llvm::ArrayRef<int64_t> shape);

bool isFloat(cameo_element_type type);

/// Bits of an element in a file, as ONNX stores it: less than a byte for some, which have a byte each in memory.
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
