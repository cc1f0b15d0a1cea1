#include "passes/Lower/Formulas/InterpolationTable.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace cameo::lower {

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

/// Appends indices and weights of the taps around coordinate `x`.
static void addTaps(const InterpolationModes &modes, double x, double stretch, double last, InterpolationTable &table) {
  llvm::SmallVector<double> weights;
  double sum = 0, first = std::floor(x) - static_cast<double>(table.taps / 2 - 1);
  for (int64_t tap = 0; tap < table.taps; ++tap) {
    double place = first + static_cast<double>(tap);
    bool isExcluded = modes.excludeOutside && (place < 0 || place > last);
    weights.push_back(isExcluded ? 0 : weightAt(modes, (place - x) * stretch));
    sum += weights.back();
    table.indices.push_back(static_cast<int64_t>(std::clamp(place, 0.0, last)));
  }
  for (double weight : weights)
    table.weights.push_back(sum == 0 ? 0 : weight / sum);
}

InterpolationTable makeTable(const InterpolationModes &modes, const InterpolatedRange<double> &range) {
  InterpolationTable table;
  double stretch = modes.antialias ? std::min(range.scale, 1.0) : 1.0, last = range.input - 1;
  if (modes.mode != "nearest")
    table.taps = 2 * reachOf(modes, 1 / range.scale);
  for (double at = 0; at < range.output; ++at) {
    double x = toInput(modes, range, at);
    table.outside.push_back(modes.crops() && (x < 0 || x > last));
    if (modes.mode != "nearest") {
      addTaps(modes, x, stretch, last, table);
      continue;
    }
    table.indices.push_back(static_cast<int64_t>(std::clamp(toNearest(modes, x), 0.0, last)));
    table.weights.push_back(1);
  }
  return table;
}

} // namespace cameo::lower
