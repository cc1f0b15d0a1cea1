// A dense tensor in the tools' own memory: what is read from files, made at random, given to models and compared.
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
  /// Allocates storage for `shape` with zeros or empty texts; expects a shape that isAllocatable.
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

  /// Element `index` as a number, whatever the type, but for texts.
  double valueAt(int64_t index) const;

  bool isText() const { return type == CAMEO_STRING; }
  /// Element `index` of a tensor of texts; the second keeps a copy, up to the first zero byte.
  llvm::StringRef textAt(int64_t index) const { return elements<const char *>()[index]; }
  void setText(int64_t index, llvm::StringRef text);
  /// Copies texts that lie elsewhere, so that the tensor may outlive what a run had.
  void keepTexts();

private:
  struct Free {
    void operator()(char *memory) const { ::operator delete[](memory, std::align_val_t(CAMEO_ALIGNMENT)); }
  };
  std::unique_ptr<char, Free> storage;
  std::vector<std::unique_ptr<std::string>> texts; ///< that elements point to
};

/// Whether no dimension is negative and the bytes fit into memory's address range.
bool isAllocatable(cameo_element_type type, llvm::ArrayRef<int64_t> shape);

/// Whether this machine has the memory, swap included: a tensor is filled, and one beyond that ends the program by
/// force.
bool fitsMemory(cameo_element_type type, llvm::ArrayRef<int64_t> shape);

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
