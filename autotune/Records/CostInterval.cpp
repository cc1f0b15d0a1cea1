#include "autotune/Records/CostInterval.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cassert>
#include <cmath>

using namespace cameo::autotune;

/// The probability that at most `below` of `count` values are below their median.
static double tail(size_t count, size_t below) {
  double term = std::pow(0.5, static_cast<double>(count)), sum = 0;
  for (size_t i = 0; i <= below; ++i) {
    sum += term;
    term *= static_cast<double>(count - i) / static_cast<double>(i + 1);
  }
  return sum;
}

CostInterval cameo::autotune::costInterval(llvm::ArrayRef<double> costs) {
  assert(!costs.empty() && "an interval of something");
  llvm::SmallVector<double> sorted(costs);
  llvm::sort(sorted);
  size_t count = sorted.size(), cut = 0;
  double confidence = 1 - 2 * tail(count, 0);
  while (2 * (cut + 2) < count + 1 && 1 - 2 * tail(count, cut + 1) >= 0.95)
    confidence = 1 - 2 * tail(count, ++cut);
  double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  return {median, sorted[cut], sorted[count - 1 - cut], std::max(confidence, 0.0)};
}
