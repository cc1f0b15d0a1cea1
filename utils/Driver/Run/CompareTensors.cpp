#include "utils/Driver/Run/CompareTensors.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace cameo;

namespace {

struct FloatFormat {
  int mantissaBits; // stored bits
  int minExponent;  // exponent of the smallest normal number
};

} // namespace

static FloatFormat formatOf(cameo_element_type type) {
  switch (type) {
  case CAMEO_FLOAT64:
    return {52, -1022};
  case CAMEO_FLOAT16:
    return {10, -14};
  case CAMEO_BFLOAT16:
    return {7, -126};
  default:
    return {23, -126};
  }
}

/// Returns the distance between representable numbers at `value`.
static double ulpAt(double value, FloatFormat format) {
  int exponent = value == 0 ? format.minExponent : std::max(std::ilogb(value), format.minExponent);
  return std::ldexp(1.0, exponent - format.mantissaBits);
}

double cameo::defaultRelativeTolerance(cameo_element_type type) {
  switch (type) {
  case CAMEO_FLOAT32:
    return 3e-5;
  case CAMEO_FLOAT64:
    return 1e-9;
  case CAMEO_FLOAT16:
    return 5e-3;
  case CAMEO_BFLOAT16:
    return 4e-2;
  default:
    return 0;
  }
}

static double absoluteError(double actual, double expected) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected)))
    return 0;
  double error = std::abs(actual - expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// Compares strings. A different string counts as an error of 1.
static Difference compareStrings(const Tensor &actual, const Tensor &expected) {
  Difference result;
  for (int64_t i = expected.elementCount() - 1; i >= 0; --i)
    if (actual.stringAt(i) != expected.stringAt(i))
      result.worstIndex = i;
  result.maxAbsolute = result.worstIndex >= 0;
  result.withinBound = result.worstIndex < 0;
  return result;
}

Difference cameo::compareTensors(const Tensor &actual, const Tensor &expected, const Tolerance &tolerance) {
  if (expected.isString())
    return compareStrings(actual, expected);
  Difference result;
  int64_t count = expected.elementCount();
  for (int64_t i = 0; i < count; ++i)
    if (double magnitude = std::abs(expected.valueAt(i)); std::isfinite(magnitude))
      result.largest = std::max(result.largest, magnitude);
  bool exact = !isFloat(expected.type);
  if (!exact)
    result.bound =
        tolerance.absolute + tolerance.relative.value_or(defaultRelativeTolerance(expected.type)) * result.largest;

  FloatFormat format = formatOf(expected.type);
  for (int64_t i = 0; i < count; ++i) {
    double reference = expected.valueAt(i);
    double error = absoluteError(actual.valueAt(i), reference);
    if (error == 0)
      continue;
    if (error > result.maxAbsolute) {
      result.maxAbsolute = error;
      result.worstIndex = i;
    }
    if (reference == 0 || std::abs(reference) < result.largest / 1000 || !std::isfinite(error))
      continue;
    result.maxRelative = std::max(result.maxRelative, error / std::abs(reference));
    if (!exact)
      result.maxUlp = std::max(result.maxUlp, error / ulpAt(reference, format));
  }
  // 64-bit integers may differ although they convert to the same double.
  if (exact && result.worstIndex < 0 && std::memcmp(actual.data(), expected.data(), expected.sizeBytes()) != 0)
    result.maxAbsolute = 1;
  result.withinBound = result.maxAbsolute <= result.bound;
  return result;
}
