#include "random_data.h"

#include "cameo/abi.h"

/* xorshift64* of Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled" (2016). */
static uint64_t next(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1dull;
}

/* Returns the bits of a float with random sign and mantissa, and the exponent of 0.5 or 1. */
static uint64_t float_bits(uint64_t random, int bits, int mantissa) {
  uint64_t sign = (random >> 63) << (bits - 1);
  uint64_t one = ((1ull << (bits - mantissa - 2)) - 1) - ((random >> 62) & 1);
  return sign | one << mantissa | (random & ((1ull << mantissa) - 1));
}

void fill_random(void *memory, size_t bytes, int32_t element_type) {
  uint64_t state = 0x9e3779b97f4a7c15ull;
  switch (element_type) {
  case CAMEO_FLOAT32:
    for (size_t i = 0; i < bytes / 4; ++i)
      ((uint32_t *)memory)[i] = (uint32_t)float_bits(next(&state), 32, 23);
    return;
  case CAMEO_FLOAT64:
    for (size_t i = 0; i < bytes / 8; ++i)
      ((uint64_t *)memory)[i] = float_bits(next(&state), 64, 52);
    return;
  case CAMEO_FLOAT16:
  case CAMEO_BFLOAT16:
    for (size_t i = 0; i < bytes / 2; ++i)
      ((uint16_t *)memory)[i] = (uint16_t)float_bits(next(&state), 16, element_type == CAMEO_FLOAT16 ? 10 : 7);
    return;
  case CAMEO_INT8:
  case CAMEO_UINT8:
    for (size_t i = 0; i < bytes; ++i)
      ((uint8_t *)memory)[i] = (uint8_t)(next(&state) >> 32);
    return;
  case CAMEO_BOOL:
    for (size_t i = 0; i < bytes; ++i)
      ((uint8_t *)memory)[i] = (uint8_t)(next(&state) >> 63);
    return;
  case CAMEO_INT16:
  case CAMEO_UINT16:
    for (size_t i = 0; i < bytes / 2; ++i)
      ((uint16_t *)memory)[i] = (uint16_t)(next(&state) >> 63);
    return;
  case CAMEO_INT32:
  case CAMEO_UINT32:
    for (size_t i = 0; i < bytes / 4; ++i)
      ((uint32_t *)memory)[i] = (uint32_t)(next(&state) >> 63);
    return;
  case CAMEO_INT64:
  case CAMEO_UINT64:
    for (size_t i = 0; i < bytes / 8; ++i)
      ((uint64_t *)memory)[i] = next(&state) >> 63;
    return;
  }
}
