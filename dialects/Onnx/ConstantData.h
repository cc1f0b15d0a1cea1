// Reads and creates the constants of a model in all forms: dense attributes for small tensors; resources for weights,
// whose memory the import keeps alive; and transposed resources. Elements are in row-major order in whole bytes each,
// also i1, i4 and ui4; a boolean is 0 or 1.
#ifndef CAMEO_DIALECTS_ONNX_CONSTANTDATA_H
#define CAMEO_DIALECTS_ONNX_CONSTANTDATA_H

#include "dialects/Onnx/StridedRead.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cassert>
#include <optional>
#include <vector>

namespace cameo::onnx {

/// Tensors of more bytes become resources.
constexpr int64_t kMaxDenseBytes = 1024;

/// Returns the bytes of one element in a constant and in memory, 0 for strings.
int64_t getElementBytes(mlir::Type elementType);

/// Returns the attribute of the onnx.Constant that defines the value, otherwise null.
mlir::ElementsAttr getConstantAttr(mlir::Value value);

/// Returns the stored bytes without a copy: a single element for a dense splat. Returns nothing for values that are not
/// constant, for strings, for a resource without data (elided in text), for booleans that the dense form packs into
/// bits, and for transposed constants. readConstant handles the latter two.
std::optional<llvm::ArrayRef<char>> getRawConstant(mlir::Attribute value);
std::optional<llvm::ArrayRef<char>> getRawConstant(mlir::Value value);

/// The stored bytes of a transposed constant, and the strides to read its elements in order.
struct TransposedConstant {
  llvm::ArrayRef<char> bytes;
  StridedRead read;
};
std::optional<TransposedConstant> getTransposedConstant(mlir::Attribute value);

/// Returns `value` with its dimensions permuted: dimension i is its dimension `perm[i]`. The bytes are not copied.
/// Returns null if it is not a resource, or readStrided does not support its elements.
mlir::ElementsAttr transposeConstant(mlir::ElementsAttr value, llvm::ArrayRef<int64_t> perm);

/// Returns the resource to whose memory a constant refers; null for dense attributes.
mlir::DenseResourceElementsAttr getResource(mlir::Attribute value);

/// Returns the same bytes with another element type of the same size. Returns null if it is not a resource.
mlir::ElementsAttr retypeResource(mlir::ElementsAttr value, mlir::Type elementType);

/// Returns a copy of all bytes, with splats and packed booleans expanded. Returns nothing for values that are not
/// constant and for strings.
std::optional<std::vector<char>> readConstant(mlir::Attribute value);
std::optional<std::vector<char>> readConstant(mlir::Value value);

/// Returns all elements of a constant of integers or booleans, signed or unsigned as its type says; nothing for others.
std::optional<llvm::SmallVector<int64_t>> getConstantInts(mlir::Attribute value);
std::optional<llvm::SmallVector<int64_t>> getConstantInts(mlir::Value value);

/// Returns all elements of a constant of f16, bf16, f32 or f64; nothing for others.
std::optional<llvm::SmallVector<double>> getConstantFloats(mlir::Attribute value);
std::optional<llvm::SmallVector<double>> getConstantFloats(mlir::Value value);

/// Creates an attribute or operation with these bytes (row-major, whole bytes per element), in the form for their size.
/// The name is that of the resource in text; it is made unique.
mlir::ElementsAttr makeConstantAttr(mlir::RankedTensorType type, std::vector<char> bytes,
                                    llvm::StringRef name = "constant");
/// As above, but refers to memory that `owner` keeps alive. The context keeps `owner`.
mlir::ElementsAttr makeConstantAttr(mlir::RankedTensorType type, llvm::ArrayRef<char> bytes,
                                    std::shared_ptr<const void> owner, llvm::StringRef name = "constant");
mlir::Value makeConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                         std::vector<char> bytes, llvm::StringRef name = "constant");

/// As above, from one number per element. A number has as many bytes as an element of the type.
template <typename Number>
mlir::Value makeConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                         llvm::ArrayRef<Number> numbers) {
  assert(getElementBytes(type.getElementType()) == int64_t(sizeof(Number)) && "numbers must have the size of elements");
  auto first = reinterpret_cast<const char *>(numbers.data()); // null if there are none, which memcpy does not allow
  return makeConstant(builder, loc, type, std::vector<char>(first, first + numbers.size() * sizeof(Number)));
}

/// Create constants of 64-bit integers: axes, shapes and pads that newer operator sets take as operands.
mlir::Value makeIntsConstant(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> values);
mlir::Value makeIntConstant(mlir::OpBuilder &builder, mlir::Location loc, int64_t value);
/// Creates an f32 scalar of rank 0.
mlir::Value makeFloatConstant(mlir::OpBuilder &builder, mlir::Location loc, float value);
/// Creates the operand for an absent optional input.
mlir::Value makeNone(mlir::OpBuilder &builder, mlir::Location loc);

/// Whether an optional operand or result is absent.
inline bool isAbsent(mlir::Value value) { return llvm::isa<mlir::NoneType>(value.getType()); }

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_CONSTANTDATA_H
