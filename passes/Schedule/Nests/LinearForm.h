// Linear forms over the dimensions of one loop nest: the index of a tensor dimension, the address of an element.
// Every projected permutation, convolution window (`oh*s + kh*d`), slice and broadcast is one.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_LINEARFORM_H
#define CAMEO_PASSES_SCHEDULE_NESTS_LINEARFORM_H

#include "passes/Schedule/Nests/Size.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace cameo::schedule {

/// constant + sum over d of coefficients[d] * (dimension d).
struct LinearForm {
  llvm::SmallVector<Size, 8> coefficients;
  Size constant = 0;

  LinearForm() = default;
  explicit LinearForm(unsigned dimCount) : coefficients(dimCount, 0) {}

  /// Returns the form that equals dimension `dim`.
  static LinearForm dimension(unsigned dimCount, unsigned dim) {
    LinearForm form(dimCount);
    form.coefficients[dim] = 1;
    return form;
  }

  /// Adds scale * other; both are over the same dimensions.
  void add(const LinearForm &other, const Size &scale = 1) {
    for (auto [mine, theirs] : llvm::zip_equal(coefficients, other.coefficients))
      mine += scale * theirs;
    constant += scale * other.constant;
  }

  bool dependsOn(unsigned dim) const { return coefficients[dim] != 0; }
  bool isConstant() const {
    return llvm::all_of(coefficients, [](const Size &c) { return c == 0; });
  }
  bool operator==(const LinearForm &other) const {
    return constant == other.constant && coefficients == other.coefficients;
  }
};

/// Returns `expr` with each dimension replaced by a form, or nothing if the result is not linear (mod, floordiv,
/// symbols).
inline std::optional<LinearForm> substitute(mlir::AffineExpr expr, llvm::ArrayRef<LinearForm> dims, unsigned dimCount) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr)) {
    LinearForm form(dimCount);
    form.constant = constant.getValue();
    return form;
  }
  if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<LinearForm> left = substitute(binary.getLHS(), dims, dimCount);
  std::optional<LinearForm> right = substitute(binary.getRHS(), dims, dimCount);
  if (!left || !right)
    return std::nullopt;
  if (binary.getKind() == mlir::AffineExprKind::Add) {
    left->add(*right);
    return left;
  }
  if (binary.getKind() != mlir::AffineExprKind::Mul)
    return std::nullopt;
  if (left->isConstant())
    std::swap(left, right);
  if (!right->isConstant())
    return std::nullopt;
  LinearForm product(dimCount);
  product.add(*left, right->constant);
  return product;
}

} // namespace cameo::schedule

#endif
