#include "utils/cameo/Pages/Chart.h"

#include "dialects/Files/PrintableText.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace cameo;

static constexpr double width = 460, height = 260, left = 52, right = 14, top = 22, bottom = 36;

std::string cameo::escapeHtml(llvm::StringRef text) {
  std::string escaped;
  for (char character : printable(text)) {
    switch (character) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += character;
    }
  }
  return escaped;
}

namespace {

/// Maps the values of an axis to 0 to 1.
class Scale {
public:
  Scale(const Axis &axis, llvm::ArrayRef<double> values) : isLogarithmic(axis.isLogarithmic) {
    double lowest = *llvm::min_element(values), highest = *llvm::max_element(values);
    if (isLogarithmic) {
      low = std::pow(10, std::floor(std::log10(lowest)));
      high = std::pow(10, std::ceil(std::log10(highest * 1.01)));
      return;
    }
    // A slow candidate must not compress the range of all others.
    high = 1.05 * (axis.cutsHigh ? std::min(highest, 3 * lowest) : highest);
  }

  double place(double value) const {
    double at = isLogarithmic ? std::log(value / low) / std::log(high / low) : value / high;
    return std::clamp(at, 0.0, 1.0);
  }

  std::vector<double> ticks() const {
    std::vector<double> values;
    if (isLogarithmic) {
      for (double value = low; value <= high * 1.001; value *= 10)
        values.push_back(value);
      return values;
    }
    // The step is the smallest of 1, 2 and 5 times a power of ten that gives at most six steps.
    double step = 1e-9;
    for (int i = 0; high / step > 6; ++i)
      step *= i % 3 == 1 ? 2.5 : 2;
    for (double value = 0; value <= high; value += step)
      values.push_back(value);
    return values;
  }

private:
  bool isLogarithmic;
  double low = 0, high = 1;
};

struct Frame {
  Scale x, y;
  double placeX(double value) const { return left + x.place(value) * (width - left - right); }
  double placeY(double value) const { return height - bottom - y.place(value) * (height - top - bottom); }
};

} // namespace

static void writeAxes(const Frame &frame, const Axis &x, const Axis &y, llvm::raw_ostream &os) {
  for (double value : frame.y.ticks()) {
    double at = frame.placeY(value);
    os << llvm::formatv("<line class=\"grid\" x1=\"{0}\" y1=\"{1:F1}\" x2=\"{2}\" y2=\"{1:F1}\"/>", left, at,
                        width - right);
    os << llvm::format("<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", left - 5, at + 4, value);
  }
  for (double value : frame.x.ticks())
    os << llvm::format("<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%g</text>\n", frame.placeX(value),
                       height - bottom + 15, value);
  os << llvm::formatv(
      "<line class=\"axis\" x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\"/><line class=\"axis\" x1=\"{0}\" y1=\"{3}\" "
      "x2=\"{0}\" y2=\"{1}\"/>\n",
      left, height - bottom, width - right, top);
  os << llvm::formatv("<text x=\"{0}\" y=\"{1}\" text-anchor=\"end\">{2}</text><text x=\"4\" y=\"12\">{3}</text>\n",
                      width - right, height - 4, escapeHtml(x.unit), escapeHtml(y.unit));
}

static void writeSeries(const Frame &frame, const Series &series, llvm::raw_ostream &os) {
  if (series.isLine) {
    os << "<polyline class=\"line\" points=\"";
    for (auto [x, y] : series.points)
      os << llvm::formatv("{0:F1},{1:F1} ", frame.placeX(x), frame.placeY(y));
    os << "\"/>\n";
    return;
  }
  for (size_t number = 0; number < series.points.size(); ++number) {
    auto [x, y] = series.points[number];
    os << llvm::formatv("<circle class=\"dot{0}\" cx=\"{1:F1}\" cy=\"{2:F1}\" r=\"{3}\">",
                        series.names.empty() ? "" : " named", frame.placeX(x), frame.placeY(y),
                        series.names.empty() ? 2 : 4);
    if (!series.names.empty())
      os << "<title>" << escapeHtml(series.names[number]) << "</title>";
    os << "</circle>\n";
  }
}

/// Whether a value has a place on an axis. Ticks up to an infinite value would never end, and zero has no logarithm.
static bool isDrawable(double value, const Axis &axis) {
  return axis.isLogarithmic ? value >= 1e-30 && value <= 1e30 : std::isfinite(value) && value <= 1e30;
}

/// Returns the series without the points that cannot be drawn.
static std::vector<Series> drawable(llvm::ArrayRef<Series> series, const Axis &x, const Axis &y) {
  std::vector<Series> kept;
  for (const Series &each : series) {
    Series &some = kept.emplace_back(Series{{}, each.isLine, {}});
    for (size_t number = 0; number < each.points.size(); ++number) {
      auto point = each.points[number];
      if (!isDrawable(point.first, x) || !isDrawable(point.second, y))
        continue;
      some.points.push_back(point);
      if (!each.names.empty())
        some.names.push_back(each.names[number]);
    }
  }
  return kept;
}

void cameo::writeChart(llvm::StringRef caption, llvm::ArrayRef<Series> series, const Axis &x, const Axis &y,
                       llvm::raw_ostream &os) {
  std::vector<Series> drawn = drawable(series, x, y);
  std::vector<double> xs, ys;
  for (const Series &each : drawn)
    for (auto [atX, atY] : each.points) {
      xs.push_back(atX);
      ys.push_back(atY);
    }
  if (xs.empty() || *llvm::max_element(xs) <= 0 || *llvm::max_element(ys) <= 0)
    return;
  Frame frame{Scale(x, xs), Scale(y, ys)};
  os << llvm::formatv(
      "<figure><figcaption>{0}</figcaption>\n<svg viewBox=\"0 0 {1} {2}\" role=\"img\" aria-label=\"{0}\">\n",
      escapeHtml(caption), width, height);
  writeAxes(frame, x, y, os);
  for (const Series &each : drawn)
    writeSeries(frame, each, os);
  os << "</svg></figure>\n";
}
