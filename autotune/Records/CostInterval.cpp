#include "autotune/Records/CostInterval.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cassert>
#include <cmath>

using namespace cameo::autotune;

CostInterval cameo::autotune::costInterval(llvm::ArrayRef<double> costs) {
  assert(!costs.empty() && "an interval of something");
  llvm::SmallVector<double> sorted(costs);
  llvm::sort(sorted);
  size_t count = sorted.size(), cut = 0;
  // The probabilities that exactly and that at most `cut` values are below their median. For thousands of values, the
  // first one underflows a double.
  long double exactly = std::pow(0.5L, static_cast<long double>(count)), atMost = exactly;
  auto confidenceOf = [](long double outside) { return static_cast<double>(1 - 2 * outside); };
  for (; 2 * (cut + 2) < count + 1; ++cut) {
    exactly *= static_cast<long double>(count - cut) / static_cast<long double>(cut + 1);
    if (confidenceOf(atMost + exactly) < 0.95)
      break;
    atMost += exactly;
  }
  double confidence = confidenceOf(atMost);
  double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  return {median, sorted[cut], sorted[count - 1 - cut], std::max(confidence, 0.0)};
}
