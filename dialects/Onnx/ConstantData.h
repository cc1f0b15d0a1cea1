// Reading and making the constants of a model, in each form: dense attributes for small tensors, resources, whose
// memory the import keeps alive, for weights, and transposed resources. Elements lie in row-major order in whole bytes
// each, also i1, i4 and ui4; a boolean is 0 or 1.
#ifndef CAMEO_DIALECTS_ONNX_CONSTANTDATA_H
#define CAMEO_DIALECTS_ONNX_CONSTANTDATA_H

#include "dialects/Onnx/StridedRead.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>
#include <vector>

namespace cameo::onnx {

/// Tensors of more bytes than this become resources.
constexpr int64_t kMaxDenseBytes = 1024;

/// Bytes that one element takes in a constant and in memory, 0 for strings.
int64_t getElementBytes(mlir::Type elementType);

/// The attribute of the onnx.Constant that makes the value, null when it is made by something else.
mlir::ElementsAttr getConstantAttr(mlir::Value value);

/// The stored bytes, without a copy: one element only when all elements are equal and stored once (a dense splat).
/// Empty for what is no constant, for strings, for a resource without data (elided in text), for booleans that the
/// dense form packs into bits, and for what is transposed: readConstant handles those too.
std::optional<llvm::ArrayRef<char>> getRawConstant(mlir::Attribute value);
std::optional<llvm::ArrayRef<char>> getRawConstant(mlir::Value value);

/// The stored bytes of a transposed constant, and the order in which its elements are read from them.
struct TransposedConstant {
  llvm::ArrayRef<char> bytes;
  StridedRead read;
};
std::optional<TransposedConstant> getTransposedConstant(mlir::Attribute value);

/// `value` with dimension i being its dimension `perm[i]`, without a copy of its bytes. Null for what is no resource,
/// and for elements that are not copied by readStrided.
mlir::ElementsAttr transposeConstant(mlir::ElementsAttr value, llvm::ArrayRef<int64_t> perm);

/// The resource whose memory a constant refers to; null for dense attributes.
mlir::DenseResourceElementsAttr getResource(mlir::Attribute value);

/// The same bytes as elements of another type of the same size and shape. Null for what is no resource.
mlir::ElementsAttr retypeResource(mlir::ElementsAttr value, mlir::Type elementType);

/// A copy of all bytes, splats and packed booleans expanded.
std::optional<std::vector<char>> readConstant(mlir::Attribute value);
std::optional<std::vector<char>> readConstant(mlir::Value value);

/// All elements of a constant of integers or booleans, signed or unsigned as its type says.
std::optional<llvm::SmallVector<int64_t>> getConstantInts(mlir::Attribute value);
std::optional<llvm::SmallVector<int64_t>> getConstantInts(mlir::Value value);

/// All elements of a constant of f16, bf16, f32 or f64.
std::optional<llvm::SmallVector<double>> getConstantFloats(mlir::Attribute value);
std::optional<llvm::SmallVector<double>> getConstantFloats(mlir::Value value);

/// Attribute or operation with these bytes (row-major, whole bytes per element), in the form that fits their size. The
/// name is what text shows for a resource; it is made unique.
mlir::ElementsAttr makeConstantAttr(mlir::RankedTensorType type, std::vector<char> bytes,
                                    llvm::StringRef name = "constant");
/// As above, but refers to memory that `owner` keeps alive as long as the context.
mlir::ElementsAttr makeConstantAttr(mlir::RankedTensorType type, llvm::ArrayRef<char> bytes,
                                    std::shared_ptr<const void> owner, llvm::StringRef name = "constant");
mlir::Value makeConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                         std::vector<char> bytes, llvm::StringRef name = "constant");

/// Constants of 64-bit integers: the axes, shapes and pads that newer operator sets pass as operands.
mlir::Value makeIntsConstant(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> values);
mlir::Value makeIntConstant(mlir::OpBuilder &builder, mlir::Location loc, int64_t value);
/// A scalar (rank 0) of f32.
mlir::Value makeFloatConstant(mlir::OpBuilder &builder, mlir::Location loc, float value);
/// The operand that stands for an absent optional input.
mlir::Value makeNone(mlir::OpBuilder &builder, mlir::Location loc);

/// Whether an optional operand or result is absent.
inline bool isAbsent(mlir::Value value) { return llvm::isa<mlir::NoneType>(value.getType()); }

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_CONSTANTDATA_H
