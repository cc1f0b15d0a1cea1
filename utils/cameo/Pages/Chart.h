// Charts as inline SVG.
#ifndef CAMEO_UTILS_CAMEO_PAGES_CHART_H
#define CAMEO_UTILS_CAMEO_PAGES_CHART_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace cameo {

struct Series {
  std::vector<std::pair<double, double>> points; // x ascending where it is a line
  bool isLine = true;                            // otherwise dots
  std::vector<std::string> names = {};           // of the dots: shown where the pointer is; empty: none has one
};

struct Axis {
  std::string unit;
  bool isLogarithmic = false; // otherwise it begins at 0
  bool cutsHigh =
      false; // ends at three times the lowest point, or at the highest if that is lower; what is above lies on the edge
};

/// Escapes what HTML gives a meaning to.
std::string escapeHtml(llvm::StringRef text);

/// A figure with a caption; nothing without points. Points that a logarithmic axis has no place for are left out.
void writeChart(llvm::StringRef caption, llvm::ArrayRef<Series> series, const Axis &x, const Axis &y,
                llvm::raw_ostream &os);

} // namespace cameo

#endif
