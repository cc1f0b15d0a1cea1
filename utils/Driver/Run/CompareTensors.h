// Compares two tensors within a tolerance.
#ifndef CAMEO_UTILS_DRIVER_RUN_COMPARETENSORS_H
#define CAMEO_UTILS_DRIVER_RUN_COMPARETENSORS_H

#include "utils/Driver/Run/Tensor.h"

#include <optional>

namespace cameo {

/// The allowed absolute error of an element is `absolute` + `relative` * the largest magnitude in the expected tensor.
/// Integers, booleans and strings must be equal.
struct Tolerance {
  double absolute = 0;
  std::optional<double> relative; // unset: defaultRelativeTolerance of the type
};

double defaultRelativeTolerance(cameo_element_type type);

struct Difference {
  double maxAbsolute = 0;
  double maxRelative = 0;  // over the elements of at least a thousandth of the largest magnitude
  double maxUlp = 0;       // in units of the last place of the element type, over the same elements; 0 for integers
  double largest = 0;      // the largest finite magnitude in the expected tensor
  double bound = 0;        // the allowed absolute error
  int64_t worstIndex = -1; // flat index of the largest absolute error; -1 when all are equal
  bool withinBound = true;
};

/// Types and shapes must be equal. Equal infinities, and two NaNs, count as equal; any other pair with an infinity or
/// NaN has an infinite error. Two different strings have an error of 1.
Difference compareTensors(const Tensor &actual, const Tensor &expected, const Tolerance &tolerance);

} // namespace cameo

#endif
