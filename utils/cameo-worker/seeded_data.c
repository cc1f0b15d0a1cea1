#define _GNU_SOURCE
#include "seeded_data.h"

#include "cameo/abi.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/* Returns `value` / `unit`, rounded to nearest, ties to even. */
static uint32_t steps_of(float value, double unit) { return (uint32_t)nearbyint((double)value / unit); }

uint16_t half_of_float(float value) {
  uint16_t sign = (uint16_t)(bits_of(value) >> 16 & 0x8000);
  float magnitude = fabsf(value);
  if (isnan(value))
    return sign | 0x7e00;
  if (magnitude >= 65520.0f)
    return sign | 0x7c00;
  if (magnitude < 0x1p-14f)
    return (uint16_t)(sign | steps_of(magnitude, 0x1p-24));
  int exponent = ilogbf(magnitude);
  /* If the mantissa is rounded up to two, the carry increments the exponent. */
  return (uint16_t)(sign | ((uint32_t)(exponent + 14) * 1024 + steps_of(magnitude, ldexp(1, exponent - 10))));
}

uint16_t bfloat_of_float(float value) {
  uint32_t bits = bits_of(value);
  if (isnan(value))
    return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float float_of_half(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  float magnitude = exponent == 31  ? (mantissa ? NAN : INFINITY)
                    : exponent == 0 ? ldexpf((float)mantissa, -24)
                                    : ldexpf((float)(1024 + mantissa), exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

float float_of_bfloat(uint16_t bits) { return float_of((uint32_t)bits << 16); }

/* SplitMix64. */
static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Returns a random number in (0, 1]. */
static double unit(uint64_t *state) { return ((double)(next(state) >> 11) + 1) * 0x1p-53; }

static float normal(uint64_t *state, float deviation) {
  double length = sqrt(-2 * log(unit(state)));
  return deviation * (float)(length * cos(2 * M_PI * unit(state)));
}

void fill_seeded(void *memory, uint64_t bytes, const cameo_package_input *input) {
  uint64_t seed = input->seed, state = next(&seed);
  float deviation = input->deviation;
  switch (input->element_type) {
  case CAMEO_FLOAT32:
    for (uint64_t i = 0; i < bytes / 4; ++i)
      ((float *)memory)[i] = normal(&state, deviation);
    return;
  case CAMEO_FLOAT64:
    for (uint64_t i = 0; i < bytes / 8; ++i)
      ((double *)memory)[i] = (double)normal(&state, deviation);
    return;
  case CAMEO_FLOAT16:
    for (uint64_t i = 0; i < bytes / 2; ++i)
      ((uint16_t *)memory)[i] = half_of_float(normal(&state, deviation));
    return;
  case CAMEO_BFLOAT16:
    for (uint64_t i = 0; i < bytes / 2; ++i)
      ((uint16_t *)memory)[i] = bfloat_of_float(normal(&state, deviation));
    return;
  case CAMEO_UINT8:
  case CAMEO_INT8:
    for (uint64_t i = 0; i < bytes; ++i)
      ((uint8_t *)memory)[i] = (uint8_t)(next(&state) & 255);
    return;
  case CAMEO_BOOL:
    for (uint64_t i = 0; i < bytes; ++i)
      ((uint8_t *)memory)[i] = (uint8_t)(next(&state) & 1);
    return;
  case CAMEO_UINT16:
  case CAMEO_INT16:
    for (uint64_t i = 0; i < bytes / 2; ++i)
      ((uint16_t *)memory)[i] = (uint16_t)(next(&state) & 1);
    return;
  case CAMEO_UINT32:
  case CAMEO_INT32:
    for (uint64_t i = 0; i < bytes / 4; ++i)
      ((uint32_t *)memory)[i] = (uint32_t)(next(&state) & 1);
    return;
  default:
    for (uint64_t i = 0; i < bytes / 8; ++i)
      ((uint64_t *)memory)[i] = next(&state) & 1;
    return;
  }
}
