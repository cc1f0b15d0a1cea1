// Numbers of elements in loop nests: extents, strides, offsets. They may be dynamic.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_SIZE_H
#define CAMEO_PASSES_SCHEDULE_NESTS_SIZE_H

#include "dialects/Onnx/DimList.h"

#include "llvm/Support/raw_ostream.h"

#include <compare>
#include <concepts>

namespace cameo::schedule {

/// A number, or an expression over the named dimensions of the model. It converts to a plain number, which for an
/// expression is its value at the estimated size of every name, at least 2; rules choose by this estimate. Sums,
/// products and comparisons for equality are exact.
class Size {
public:
  Size(int64_t number = 0) : number(number) {}
  explicit Size(const Dim &dim);

  bool isKnown() const { return !expression && !isUnknown(); }
  /// Whether it is neither a number nor an expression, for example after an overflow of 64 bits.
  bool isUnknown() const { return number == mlir::ShapedType::kDynamic; }
  /// Returns the expression, or null for a number.
  DimExprAttr getExpression() const { return expression; }
  Dim exact() const { return expression ? Dim(expression) : Dim(number); }
  operator int64_t() const { return number; }

  Size &operator+=(const Size &other) { return *this = *this + other; }
  Size &operator*=(const Size &other) { return *this = *this * other; }

  friend Size operator+(const Size &a, const Size &b);
  friend Size operator-(const Size &a, const Size &b);
  friend Size operator*(const Size &a, const Size &b);
  friend bool operator==(const Size &a, const Size &b) {
    return a.number == b.number && a.expression == b.expression && !a.isUnknown();
  }
  template <std::integral T> friend Size operator+(const Size &a, T b) { return a + Size(b); }
  template <std::integral T> friend Size operator+(T a, const Size &b) { return Size(a) + b; }
  template <std::integral T> friend Size operator-(const Size &a, T b) { return a - Size(b); }
  template <std::integral T> friend Size operator-(T a, const Size &b) { return Size(a) - b; }
  template <std::integral T> friend Size operator*(const Size &a, T b) { return a * Size(b); }
  template <std::integral T> friend Size operator*(T a, const Size &b) { return Size(a) * b; }
  template <std::integral T> friend bool operator==(const Size &a, T b) { return a == Size(b); }
  /// Orders by the estimates; different sizes with equal estimates have an arbitrary order, for use as keys.
  friend std::strong_ordering operator<=>(const Size &a, const Size &b) {
    std::strong_ordering order = a.number <=> b.number;
    return order != 0 ? order
                      : std::compare_three_way()(a.expression.getAsOpaquePointer(), b.expression.getAsOpaquePointer());
  }
  template <std::integral T> friend std::strong_ordering operator<=>(const Size &a, T b) {
    return a.number <=> int64_t(b);
  }

private:
  friend Size divideExactly(const Size &a, const Size &b);

  int64_t number;
  DimExprAttr expression;
};

/// Returns a / b, or an unknown size if that cannot be proved to be an integer.
Size divideExactly(const Size &a, const Size &b);
/// Returns the number of pieces of `size` elements in `extent`; the last piece may be smaller.
Size countPieces(const Size &extent, int64_t size);
/// Returns the number of pieces of `size` elements that `extent` holds completely.
Size countWholePieces(const Size &extent, int64_t size);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Size &size);

} // namespace cameo::schedule

#endif
