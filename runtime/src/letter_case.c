/* Converts letters to lower and upper case. The functions of the C library depend on the locale, which is global state.
 */
#include "cameo/text.h"

#include <stddef.h>
#include <string.h>

/* Maps the code points first, first + step, ..., last by adding `distance`. */
typedef struct case_range {
  uint32_t first, last;
  int32_t step, distance;
} case_range;

#include "letter_case_table.h"

static uint32_t find_image(const case_range *ranges, size_t count, uint32_t code) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ranges[middle].last < code)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count || code < ranges[low].first || (code - ranges[low].first) % (uint32_t)ranges[low].step != 0)
    return code;
  return (uint32_t)((int32_t)code + ranges[low].distance);
}

static uint32_t lower_of(uint32_t code) {
  if (code < 0x80)
    return code >= 'A' && code <= 'Z' ? code + 32 : code;
  return find_image(to_lower, sizeof to_lower / sizeof *to_lower, code);
}

static uint32_t upper_of(uint32_t code) {
  if (code < 0x80)
    return code >= 'a' && code <= 'z' ? code - 32 : code;
  return find_image(to_upper, sizeof to_upper / sizeof *to_upper, code);
}

/* Returns the code point at `string` and stores its number of bytes. A byte that begins no code point gives a number
 * beyond Unicode. */
static uint32_t decode(const unsigned char *string, size_t *bytes) {
  *bytes = 1;
  if (string[0] < 0x80)
    return string[0];
  size_t more = string[0] >= 0xf0 && string[0] < 0xf8   ? 3
                : string[0] >= 0xe0 && string[0] < 0xf0 ? 2
                : string[0] >= 0xc2 && string[0] < 0xe0 ? 1
                                                        : 0;
  uint32_t code = string[0] & (0x3fu >> more);
  /* The terminating zero is no continuation byte, so nothing after it is read. */
  for (size_t i = 1; i <= more; ++i) {
    if ((string[i] & 0xc0) != 0x80)
      return 0x110000u + string[0];
    code = code << 6 | (string[i] & 0x3fu);
  }
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (more == 0 || code < least[more] || code > 0x10ffff)
    return 0x110000u + string[0];
  *bytes = more + 1;
  return code;
}

static size_t encode(uint32_t code, unsigned char *to) {
  if (code < 0x80) {
    to[0] = (unsigned char)code;
    return 1;
  }
  if (code > 0x10ffff) {
    to[0] = (unsigned char)(code - 0x110000u);
    return 1;
  }
  size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char marks[] = {0, 0xc0, 0xe0, 0xf0};
  to[0] = (unsigned char)(marks[more] | code >> (6 * more));
  for (size_t i = 1; i <= more; ++i)
    to[i] = (unsigned char)(0x80 | (code >> (6 * (more - i)) & 0x3f));
  return more + 1;
}

static const char *change(cameo_text_area *area, const char *string, uint32_t (*image)(uint32_t)) {
  unsigned char encoded[4];
  size_t bytes = 0, read, length = 0;
  int is_same = 1;
  for (const unsigned char *at = (const unsigned char *)string; *at; at += read) {
    uint32_t code = decode(at, &read), to = image(code);
    bytes += encode(to, encoded);
    is_same &= code == to;
  }
  if (is_same)
    return string;
  char *changed = cameo_text_allocate(area, bytes);
  if (!changed)
    return "";
  for (const unsigned char *at = (const unsigned char *)string; *at; at += read)
    length += encode(image(decode(at, &read)), (unsigned char *)changed + length);
  return changed;
}

const char *cameo_text_lower(cameo_text_area *area, const char *string) { return change(area, string, lower_of); }

const char *cameo_text_upper(cameo_text_area *area, const char *string) { return change(area, string, upper_of); }
