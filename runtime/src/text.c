/* Creates strings in the caller's area. */
#include "cameo/text.h"

#include <string.h>

char *cameo_text_allocate(cameo_text_area *area, uint64_t bytes) {
  /* The sum cannot overflow: requested sizes are those of strings in memory. */
  uint64_t begin = __atomic_fetch_add(&area->used, bytes + 1, __ATOMIC_RELAXED);
  if (begin > area->capacity || area->capacity - begin < bytes + 1)
    return NULL;
  char *string = area->memory + begin;
  string[bytes] = 0;
  return string;
}

int32_t cameo_text_compare(const char *a, const char *b) {
  int order = strcmp(a, b);
  return (order > 0) - (order < 0);
}

const char *cameo_text_concat(cameo_text_area *area, const char *a, const char *b) {
  size_t first = strlen(a), second = strlen(b);
  char *string = cameo_text_allocate(area, first + second);
  if (!string)
    return "";
  memcpy(string, a, first);
  memcpy(string + first, b, second);
  return string;
}
