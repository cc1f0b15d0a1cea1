#include "utils/cameo/LineChart.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace cameo;

static constexpr double width = 900, height = 260, left = 60, right = 10, top = 10, bottom = 30;

/// The smallest of 1, 2, 5 times a power of ten that makes at most six steps of `largest`.
static double stepOf(double largest) {
  double step = 1e-9;
  for (int i = 0; largest / step > 6; ++i)
    step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

void cameo::writeChart(llvm::ArrayRef<Series> series, llvm::StringRef xUnit, llvm::StringRef yUnit, llvm::raw_ostream &os) {
  double largestX = 0, largestY = 0, lowestY = 0;
  for (const Series &each : series)
    for (auto [x, y] : each.points) {
      largestX = std::max(largestX, x);
      largestY = std::max(largestY, y);
      lowestY = lowestY == 0 ? y : std::min(lowestY, y);
    }
  if (largestX <= 0 || largestY <= 0)
    return;
  // One slow candidate must not flatten all others.
  largestY = std::min(largestY, 3 * lowestY) * 1.05;
  auto placeX = [&](double x) { return left + x / largestX * (width - left - right); };
  auto placeY = [&](double y) { return height - bottom - std::min(y / largestY, 1.0) * (height - top - bottom); };
  os << llvm::formatv("<svg viewBox=\"0 0 {0} {1}\" role=\"img\">\n", width, height);
  os << llvm::formatv("<line class=\"axis\" x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\"/><line class=\"axis\" x1=\"{0}\" y1=\"{3}\" "
                      "x2=\"{0}\" y2=\"{1}\"/>\n",
                      left, height - bottom, width - right, top);
  for (double y = 0, step = stepOf(largestY); y <= largestY; y += step)
    os << llvm::format("<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", left - 5, placeY(y) + 4, y);
  for (double x = 0, step = stepOf(largestX); x <= largestX; x += step)
    os << llvm::format("<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%g</text>\n", placeX(x), height - bottom + 15, x);
  os << llvm::formatv("<text x=\"{0}\" y=\"{1}\" text-anchor=\"end\">{2}</text><text x=\"5\" y=\"{3}\">{4}</text>\n", width - right,
                      height - 3, xUnit, top + 5, yUnit);
  for (const Series &each : series) {
    if (!each.isLine) {
      for (auto [x, y] : each.points)
        os << llvm::formatv("<circle class=\"dot\" cx=\"{0:F1}\" cy=\"{1:F1}\" r=\"2\"/>\n", placeX(x), placeY(y));
      continue;
    }
    os << "<polyline class=\"line\" points=\"";
    for (auto [x, y] : each.points)
      os << llvm::formatv("{0:F1},{1:F1} ", placeX(x), placeY(y));
    os << "\"/>\n";
  }
  os << "</svg>\n";
}
