// Numbers of elements in loop nests: extents, strides, offsets. Some are made of dynamic sizes.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_SIZE_H
#define CAMEO_PASSES_SCHEDULE_NESTS_SIZE_H

#include "dialects/Onnx/DimList.h"

#include "llvm/Support/raw_ostream.h"

#include <compare>
#include <concepts>

namespace cameo::schedule {

/// What each name of the model is taken for where a choice depends on it: the length of a short text, the side of a
/// small image.
constexpr int64_t estimatedSize = 128;

/// A number, or an expression over names of the model. It converts to a plain number: of an expression this is the
/// value for the estimated size of every name, at least 2, which rules choose by. Sums, products and comparisons for
/// equality are exact.
class Size {
public:
  Size(int64_t number = 0) : number(number) {}
  explicit Size(const Dim &dim);

  bool isKnown() const { return !expression && !isUnknown(); }
  /// Neither a number nor an expression, as what 64 bits do not hold.
  bool isUnknown() const { return number == mlir::ShapedType::kDynamic; }
  /// Null of a number.
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
  /// By the estimates; sizes that differ are in some order, to be looked up by.
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

/// a / b; unknown where that is not surely a whole number.
Size divideExactly(const Size &a, const Size &b);
/// Pieces of `size` that `extent` is cut into, the last one of which may be smaller.
Size countPieces(const Size &extent, int64_t size);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Size &size);

} // namespace cameo::schedule

#endif
