// Small matrices of rational numbers, for the transforms of Winograd's convolution.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_RATIONALMATRIX_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_RATIONALMATRIX_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace cameo::schedule {

/// Row-major entries over a common denominator.
struct RationalMatrix {
  int64_t rows, columns, denominator;
  llvm::SmallVector<int64_t> entries;

  bool operator==(const RationalMatrix &other) const = default;

  double at(int64_t row, int64_t column) const {
    return static_cast<double>(entries[row * columns + column]) / static_cast<double>(denominator);
  }
};

} // namespace cameo::schedule

#endif
