/* Converts numbers to strings and back. The C library rounds correctly in both directions, but uses the decimal point
 * of the current locale. So only digits and an exponent are passed to it. */
#include "cameo/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(cameo_text_area *area, const char *string, size_t bytes) {
  char *made = cameo_text_allocate(area, bytes);
  return made ? memcpy(made, string, bytes) : "";
}

static float float_of(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* ---- to strings ---- */

enum { most_digits = 17 };

/* The value 0.DIGITS times 10 to the power of `point`. */
typedef struct decimal {
  char digits[most_digits + 1];
  int count, point;
} decimal;

/* Returns `number` rounded to `count` digits. */
static decimal round_digits(double number, int count) {
  char string[64];
  decimal result = {"", 0, 0};
  snprintf(string, sizeof string, "%.*e", count - 1, number);
  const char *at = string;
  for (; *at != 'e'; ++at)
    if (*at >= '0' && *at <= '9')
      result.digits[result.count++] = *at;
  result.point = atoi(at + 1) + 1;
  return result;
}

static void write_integer_form(decimal value, char *string, size_t bytes) {
  snprintf(string, bytes, "%se%d", value.digits, value.point - value.count);
}

/* Returns whether `string` reads back as `number`. */
typedef int (*reads_back)(const char *string, double number);

static int reads_as_float64(const char *string, double number) { return strtod(string, NULL) == number; }

static int reads_as_float32(const char *string, double number) { return strtof(string, NULL) == (float)number; }

/* Reads a number rounded to `kept` bits of mantissa after the leading one, ties to even. */
static int reads_as_narrow(const char *string, double number, int kept, int least_exponent) {
  double value = strtod(string, NULL);
  int exponent = ilogb(value);
  double distance = ldexp(1, (exponent < least_exponent ? least_exponent : exponent) - kept);
  return nearbyint(value / distance) * distance == number;
}

static int reads_as_float16(const char *string, double number) { return reads_as_narrow(string, number, 10, -14); }

static int reads_as_bfloat16(const char *string, double number) { return reads_as_narrow(string, number, 7, -126); }

/* Writes `value` as Python does: without exponent from 1e-4 to below 1e16. */
static size_t write_decimal(decimal value, char *string, size_t bytes) {
  const char *digits = value.digits;
  int count = value.count, point = value.point;
  while (count > 1 && digits[count - 1] == '0')
    --count;
  if (point > 16 || point < -3) {
    int written = snprintf(string, bytes, "%c%s%.*se%c%02d", digits[0], count > 1 ? "." : "", count - 1, digits + 1,
                           point > 0 ? '+' : '-', abs(point - 1));
    return (size_t)written;
  }
  size_t length = 0;
  if (point <= 0)
    string[length++] = '0';
  for (int i = 0; i < point; ++i)
    string[length++] = i < count ? digits[i] : '0';
  string[length++] = '.';
  for (int i = point; i < 0; ++i)
    string[length++] = '0';
  for (int i = point > 0 ? point : 0; i < count; ++i)
    string[length++] = digits[i];
  if (count <= point)
    string[length++] = '0';
  return length;
}

static const char *from_float(cameo_text_area *area, double number, reads_back is_same) {
  if (isnan(number))
    return "nan";
  if (isinf(number))
    return number > 0 ? "inf" : "-inf";
  char string[64], probe[64];
  size_t sign = signbit(number) != 0;
  string[0] = '-';
  number = fabs(number);
  decimal value = {"0", 1, 1};
  for (int count = 1; number != 0 && count <= most_digits; ++count) {
    value = round_digits(number, count);
    write_integer_form(value, probe, sizeof probe);
    if (is_same(probe, number))
      break;
  }
  return keep(area, string, sign + write_decimal(value, string + sign, sizeof string - sign));
}

const char *cameo_text_from_float64(cameo_text_area *area, double number) {
  return from_float(area, number, reads_as_float64);
}

const char *cameo_text_from_float32(cameo_text_area *area, float number) {
  return from_float(area, number, reads_as_float32);
}

static double half_number(uint32_t bits) {
  int exponent = bits >> 10 & 31;
  double fraction = bits & 0x3ff, magnitude;
  if (exponent == 31)
    magnitude = fraction != 0 ? NAN : INFINITY;
  else
    magnitude = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 0x400, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

const char *cameo_text_from_float16(cameo_text_area *area, int32_t bits) {
  return from_float(area, half_number((uint32_t)bits), reads_as_float16);
}

const char *cameo_text_from_bfloat16(cameo_text_area *area, int32_t bits) {
  return from_float(area, float_of((uint32_t)bits << 16), reads_as_bfloat16);
}

const char *cameo_text_from_int64(cameo_text_area *area, int64_t number) {
  char string[24];
  return keep(area, string, (size_t)snprintf(string, sizeof string, "%" PRId64, number));
}

const char *cameo_text_from_uint64(cameo_text_area *area, uint64_t number) {
  char string[24];
  return keep(area, string, (size_t)snprintf(string, sizeof string, "%" PRIu64, number));
}

const char *cameo_text_from_bool(cameo_text_area *area, int32_t number) {
  (void)area;
  return number ? "True" : "False";
}

/* ---- from strings ---- */

/* Number of digits that can affect the result: the midpoints of neighbouring doubles have fewer. Of further digits, it
 * only matters whether one is not zero. */
enum { kept_digits = 780, most_exponent = 100000 };

/* A number in a form that the C library reads in every locale: [-]DIGITSe[-]EXPONENT. */
typedef struct plain_number {
  int is_number, is_integer, is_negative;
  const char *word; /* "inf" or "nan", else null */
  char string[kept_digits + 32];
} plain_number;

static int is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Returns the position after `word`, in either case, or null. */
static const char *skip_word(const char *string, const char *word) {
  for (; *word; ++word, ++string)
    if ((*string | 0x20) != *word)
      return NULL;
  return string;
}

static const char *read_word(const char *string, plain_number *number) {
  const char *end;
  if ((end = skip_word(string, "infinity")) || (end = skip_word(string, "inf")))
    number->word = "inf";
  else if ((end = skip_word(string, "nan")))
    number->word = "nan";
  return end;
}

/* Copies digits without leading zeros to `string`. The digits are scaled by 10 to the power of `*shift`. */
static const char *read_digits(const char *at, plain_number *number, size_t *length, int64_t *shift) {
  int has_digits = 0, has_point = 0, has_rest = 0;
  size_t begin = *length;
  for (; is_digit(*at) || (*at == '.' && !has_point); ++at) {
    if (*at == '.') {
      has_point = 1;
      number->is_integer = 0;
      continue;
    }
    has_digits = 1;
    if (*at == '0' && *length == begin) {
      *shift -= has_point;
      continue;
    }
    if (*length - begin < kept_digits) {
      number->string[(*length)++] = *at;
      *shift -= has_point;
    } else {
      has_rest |= *at != '0';
      *shift += !has_point;
    }
  }
  if (has_rest)
    number->string[*length - 1] |= 1; /* an even last digit becomes odd, so that the digits are not at a midpoint */
  if (*length == begin)
    number->string[(*length)++] = '0';
  return has_digits ? at : NULL;
}

/* The exponent is clamped: beyond the limit, every number is 0 or infinite. */
static const char *read_exponent(const char *at, plain_number *number, int64_t *shift) {
  if ((*at | 0x20) != 'e')
    return at;
  number->is_integer = 0;
  int is_negative = *++at == '-';
  at += *at == '-' || *at == '+';
  if (!is_digit(*at))
    return NULL;
  int64_t exponent = 0;
  for (; is_digit(*at); ++at)
    if (exponent < INT64_MAX / 100)
      exponent = exponent * 10 + (*at - '0');
  *shift += is_negative ? -exponent : exponent;
  return at;
}

static plain_number read_number(const char *string) {
  plain_number number = {0, 1, 0, NULL, ""};
  size_t length = 0;
  int64_t shift = 0;
  while (is_blank(*string))
    ++string;
  number.is_negative = *string == '-';
  string += *string == '-' || *string == '+';
  const char *end = read_word(string, &number);
  if (!end && (end = read_digits(string, &number, &length, &shift)))
    end = read_exponent(end, &number, &shift);
  if (!end)
    return number;
  while (is_blank(*end))
    ++end;
  number.is_number = !*end;
  if (shift > most_exponent || shift < -most_exponent)
    shift = shift > 0 ? most_exponent : -most_exponent;
  snprintf(number.string + length, sizeof number.string - length, "e%" PRId64, shift);
  return number;
}

double cameo_text_to_float64(const char *string) {
  plain_number number = read_number(string);
  if (!number.is_number)
    return NAN;
  double magnitude = strtod(number.word ? number.word : number.string, NULL);
  return number.is_negative ? -magnitude : magnitude;
}

float cameo_text_to_float32(const char *string) {
  plain_number number = read_number(string);
  if (!number.is_number)
    return NAN;
  float magnitude = strtof(number.word ? number.word : number.string, NULL);
  return number.is_negative ? -magnitude : magnitude;
}

/* A number that is no plain integer is converted to a float first. `*magnitude` is clamped to 64 bits. */
static int read_magnitude(const char *string, uint64_t *magnitude) {
  plain_number number = read_number(string);
  *magnitude = 0;
  if (!number.is_number || (number.word && *number.word == 'n'))
    return 0;
  if (number.is_integer && !number.word) {
    for (const char *at = number.string; is_digit(*at); ++at) {
      uint64_t digit = (uint64_t)(*at - '0');
      *magnitude = *magnitude > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *magnitude * 10 + digit;
    }
  } else {
    double value = strtod(number.word ? number.word : number.string, NULL);
    *magnitude = value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
  }
  return number.is_negative;
}

int64_t cameo_text_to_int64(const char *string) {
  uint64_t magnitude;
  if (read_magnitude(string, &magnitude))
    return magnitude > INT64_MAX ? INT64_MIN : -(int64_t)magnitude;
  return magnitude > INT64_MAX ? INT64_MAX : (int64_t)magnitude;
}

uint64_t cameo_text_to_uint64(const char *string) {
  uint64_t magnitude;
  return read_magnitude(string, &magnitude) ? 0 : magnitude;
}

int32_t cameo_text_to_bool(const char *string) {
  const char *end = skip_word(string, "true");
  if (end && !*end)
    return 1;
  plain_number number = read_number(string);
  return number.is_number && cameo_text_to_float64(string) != 0;
}
