// Charts as inline SVG.
#ifndef CAMEO_UTILS_CAMEO_LINECHART_H
#define CAMEO_UTILS_CAMEO_LINECHART_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace cameo {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points; // x ascending
  bool isLine = true;                            // otherwise dots
};

/// Axes begin at 0. The y axis ends at three times the lowest point, or at the highest if that is lower; what is above lies on the edge. Draws
/// nothing without points.
void writeChart(llvm::ArrayRef<Series> series, llvm::StringRef xUnit, llvm::StringRef yUnit, llvm::raw_ostream &os);

} // namespace cameo

#endif
