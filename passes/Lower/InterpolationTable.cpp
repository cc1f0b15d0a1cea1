#include "passes/Lower/InterpolationTable.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace cameo::lower {

double cubicKernel(double x, double a) {
  x = std::abs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

bool InterpolationTable::hasOutside() const { return llvm::is_contained(outside, true); }

int64_t InterpolationTable::repetition(int64_t input) const {
  int64_t output = outside.size();
  if (taps != 1 || input == 0 || output % input != 0 || hasOutside())
    return 0;
  int64_t count = output / input;
  for (int64_t at = 0; at < output; ++at)
    if (indices[at] != at / count)
      return 0;
  return count;
}

/// The coordinate in the input of an output element.
static double toInput(const Interpolation &i, int64_t at) {
  double x = static_cast<double>(at), input = static_cast<double>(i.input), output = static_cast<double>(i.output);
  double halfPixel = (x + 0.5) / i.scale - 0.5;
  if (i.coordinateMode == "asymmetric")
    return x / i.scale;
  if (i.coordinateMode == "align_corners")
    return i.output == 1 ? 0 : x * (input - 1) / (output - 1);
  if (i.coordinateMode == "pytorch_half_pixel")
    return i.output > 1 ? halfPixel : 0;
  if (i.coordinateMode == "half_pixel_symmetric") {
    double adjustment = output / (i.scale * input);
    return input / 2 * (1 - adjustment) + halfPixel;
  }
  if (i.coordinateMode == "tf_crop_and_resize") {
    if (i.output == 1)
      return 0.5 * (i.roiStart + i.roiEnd) * (input - 1);
    return i.roiStart * (input - 1) + x * (i.roiEnd - i.roiStart) * (input - 1) / (output - 1);
  }
  return halfPixel;
}

static int64_t nearest(double x, llvm::StringRef mode) {
  if (mode == "floor")
    return static_cast<int64_t>(std::floor(x));
  if (mode == "ceil")
    return static_cast<int64_t>(std::ceil(x));
  return static_cast<int64_t>(mode == "round_prefer_ceil" ? std::floor(x + 0.5) : std::ceil(x - 0.5));
}

/// Appends the taps around `x`, first one at `first`.
static void addTaps(const Interpolation &i, double x, double stretch, int64_t first, InterpolationTable &table) {
  llvm::SmallVector<double> weights;
  double sum = 0;
  for (int64_t tap = 0; tap < table.taps; ++tap) {
    double distance = (static_cast<double>(first + tap) - x) * stretch;
    double weight = i.mode == "cubic" ? cubicKernel(distance, i.cubicCoefficient) : std::max(0.0, 1 - std::abs(distance));
    if (i.excludeOutside && (first + tap < 0 || first + tap >= i.input))
      weight = 0;
    weights.push_back(weight);
    sum += weight;
  }
  for (int64_t tap = 0; tap < table.taps; ++tap) {
    table.indices.push_back(std::clamp<int64_t>(first + tap, 0, i.input - 1));
    table.weights.push_back(sum == 0 ? 0 : weights[tap] / sum);
  }
}

InterpolationTable makeTable(const Interpolation &i) {
  InterpolationTable table;
  double stretch = i.antialias ? std::min(i.scale, 1.0) : 1.0;
  double support = (i.mode == "cubic" ? 2 : 1) / stretch;
  if (i.mode != "nearest")
    table.taps = 2 * static_cast<int64_t>(std::ceil(support));
  for (int64_t at = 0; at < i.output; ++at) {
    double x = toInput(i, at);
    bool isOutside = x < 0 || x > static_cast<double>(i.input - 1);
    table.outside.push_back(i.coordinateMode == "tf_crop_and_resize" && isOutside);
    if (i.mode == "nearest") {
      table.indices.push_back(std::clamp<int64_t>(nearest(x, i.nearestMode), 0, i.input - 1));
      table.weights.push_back(1);
      continue;
    }
    int64_t first = static_cast<int64_t>(std::floor(x)) - table.taps / 2 + 1;
    addTaps(i, x, stretch, first, table);
  }
  return table;
}

} // namespace cameo::lower
