// What several measurements of one thing say about it.
#ifndef CAMEO_AUTOTUNE_RECORDS_COSTINTERVAL_H
#define CAMEO_AUTOTUNE_RECORDS_COSTINTERVAL_H

#include "llvm/ADT/ArrayRef.h"

namespace cameo::autotune {

struct CostInterval {
  double median = 0;        ///< seconds
  double low = 0, high = 0; ///< the median of all possible measurements lies between, with `confidence`
  double confidence = 0;    ///< at least 0.95, or what so few measurements give
};

/// The interval of order statistics (D. B. Owen, Handbook of Statistical Tables, 1962): it assumes nothing about the
/// distribution, which is far from normal on a machine with other programs. `costs` are not empty.
CostInterval costInterval(llvm::ArrayRef<double> costs);

} // namespace cameo::autotune

#endif
