// Computes a confidence interval of the median of several measurements.
#ifndef CAMEO_AUTOTUNE_RECORDS_COSTINTERVAL_H
#define CAMEO_AUTOTUNE_RECORDS_COSTINTERVAL_H

#include "llvm/ADT/ArrayRef.h"

namespace cameo::autotune {

struct CostInterval {
  double median = 0;        ///< seconds
  double low = 0, high = 0; ///< bounds of the true median, with `confidence`
  double confidence = 0;    ///< at least 0.95, or less if there are too few measurements
};

/// Returns the interval of order statistics (D. B. Owen, Handbook of Statistical Tables, 1962). It makes no assumption
/// about the distribution, which is far from normal on a machine with other programs. `costs` must not be empty.
CostInterval costInterval(llvm::ArrayRef<double> costs);

} // namespace cameo::autotune

#endif
