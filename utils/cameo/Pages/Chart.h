// Charts as inline SVG.
#ifndef CAMEO_UTILS_CAMEO_PAGES_CHART_H
#define CAMEO_UTILS_CAMEO_PAGES_CHART_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace cameo {

struct Series {
  std::vector<std::pair<double, double>> points; // ascending in x if it is a line
  bool isLine = true;                            // otherwise dots
  std::vector<std::string> names = {};           // of the dots, shown on hover; may be empty
};

struct Axis {
  std::string unit;
  bool isLogarithmic = false; // otherwise it starts at 0
  bool cutsHigh =
      false; // ends at three times the lowest point, or at the highest if that is lower; what is above lies on the edge
};

/// Escapes the special characters of HTML.
std::string escapeHtml(llvm::StringRef text);

/// Writes a figure with a caption; nothing if there are no points. Points without a place on a logarithmic axis are
/// omitted.
void writeChart(llvm::StringRef caption, llvm::ArrayRef<Series> series, const Axis &x, const Axis &y,
                llvm::raw_ostream &os);

} // namespace cameo

#endif
