#define _GNU_SOURCE
#include "compare.h"

#include "cameo/abi.h"
#include "seeded_data.h"

#include <math.h>
#include <string.h>

/* The properties of a number type. */
typedef struct number_format {
  uint64_t bytes;
  double relative; /* tolerance relative to the largest magnitude; 0 for integers, which must be equal */
  int mantissa_bits, min_exponent;
} number_format;

static number_format format_of(int32_t type) {
  switch (type) {
  case CAMEO_FLOAT64:
    return (number_format){8, 1e-9, 52, -1022};
  case CAMEO_FLOAT32:
    return (number_format){4, 3e-5, 23, -126};
  case CAMEO_FLOAT16:
    return (number_format){2, 5e-3, 10, -14};
  case CAMEO_BFLOAT16:
    return (number_format){2, 4e-2, 7, -126};
  case CAMEO_INT64:
  case CAMEO_UINT64:
    return (number_format){8, 0, 0, 0};
  case CAMEO_INT32:
  case CAMEO_UINT32:
    return (number_format){4, 0, 0, 0};
  case CAMEO_INT16:
  case CAMEO_UINT16:
    return (number_format){2, 0, 0, 0};
  default:
    return (number_format){1, 0, 0, 0};
  }
}

static double value_at(const void *memory, uint64_t i, int32_t type) {
  switch (type) {
  case CAMEO_FLOAT64:
    return ((const double *)memory)[i];
  case CAMEO_FLOAT32:
    return (double)((const float *)memory)[i];
  case CAMEO_FLOAT16:
    return (double)float_of_half(((const uint16_t *)memory)[i]);
  case CAMEO_BFLOAT16:
    return (double)float_of_bfloat(((const uint16_t *)memory)[i]);
  case CAMEO_INT64:
    return (double)((const int64_t *)memory)[i];
  case CAMEO_UINT64:
    return (double)((const uint64_t *)memory)[i];
  case CAMEO_INT32:
    return (double)((const int32_t *)memory)[i];
  case CAMEO_UINT32:
    return (double)((const uint32_t *)memory)[i];
  case CAMEO_INT16:
    return (double)((const int16_t *)memory)[i];
  case CAMEO_UINT16:
    return (double)((const uint16_t *)memory)[i];
  case CAMEO_INT8:
    return (double)((const int8_t *)memory)[i];
  default:
    return (double)((const uint8_t *)memory)[i];
  }
}

static double ulp_at(double value, number_format format) {
  int exponent = value == 0 ? format.min_exponent : ilogb(value);
  return ldexp(1.0, (exponent > format.min_exponent ? exponent : format.min_exponent) - format.mantissa_bits);
}

static double absolute_error(double actual, double expected) {
  if (actual == expected || (isnan(actual) && isnan(expected)))
    return 0;
  double error = fabs(actual - expected);
  return isnan(error) ? INFINITY : error;
}

difference compare_outputs(const void *actual, const void *expected, uint64_t bytes, int32_t element_type,
                           double least_tolerance) {
  difference result = {.worst_index = -1};
  number_format format = format_of(element_type);
  uint64_t count = bytes / format.bytes;
  double largest = 0;
  for (uint64_t i = 0; i < count; ++i) {
    double magnitude = fabs(value_at(expected, i, element_type));
    largest = isfinite(magnitude) && magnitude > largest ? magnitude : largest;
  }
  bool is_exact = format.relative == 0;
  result.bound = (!is_exact && least_tolerance > format.relative ? least_tolerance : format.relative) * largest;
  for (uint64_t i = 0; i < count; ++i) {
    double reference = value_at(expected, i, element_type),
           error = absolute_error(value_at(actual, i, element_type), reference);
    if (error > result.max_absolute) {
      result.max_absolute = error;
      result.worst_index = (int64_t)i;
    }
    if (error == 0 || is_exact || reference == 0 || fabs(reference) < largest / 1000 || !isfinite(error))
      continue;
    double ulps = error / ulp_at(reference, format);
    result.max_ulp = ulps > result.max_ulp ? ulps : result.max_ulp;
  }
  /* Different 64-bit integers may be equal as doubles. */
  if (is_exact && result.worst_index < 0 && memcmp(actual, expected, bytes) != 0)
    result.max_absolute = 1;
  result.within_bound = result.max_absolute <= result.bound;
  return result;
}
