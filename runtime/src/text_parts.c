/* Splits strings. A part is a range of the string; each search starts at the begin of the string. */
#include "cameo/text.h"

#include <string.h>

/* Returns the number of bytes of the Unicode white space at `string`, or 0 if there is none. */
static size_t blank_bytes(const char *string) {
  const unsigned char *at = (const unsigned char *)string;
  if (at[0] == ' ' || (at[0] >= 9 && at[0] <= 13) || (at[0] >= 0x1c && at[0] <= 0x1f))
    return 1;
  if (at[0] == 0xc2 && (at[1] == 0x85 || at[1] == 0xa0))
    return 2;
  /* The terminating zero ends each of these comparisons. */
  if (at[0] == 0xe1 && at[1] == 0x9a && at[2] == 0x80)
    return 3;
  if (at[0] == 0xe2 && at[1] == 0x80 &&
      ((at[2] >= 0x80 && at[2] <= 0x8a) || at[2] == 0xa8 || at[2] == 0xa9 || at[2] == 0xaf))
    return 3;
  if ((at[0] == 0xe2 && at[1] == 0x81 && at[2] == 0x9f) || (at[0] == 0xe3 && at[1] == 0x80 && at[2] == 0x80))
    return 3;
  return 0;
}

static const char *skip_blanks(const char *string) {
  for (size_t bytes; (bytes = blank_bytes(string)) > 0;)
    string += bytes;
  return string;
}

/* The current part is [begin, end); `rest` is null after the last one. */
typedef struct parts {
  const char *delimiter, *rest, *begin, *end;
  size_t delimiter_bytes;
  int64_t splits_left;
} parts;

static parts begin_parts(const char *string, const char *delimiter, int64_t most_splits) {
  parts state = {delimiter, string, string, string, strlen(delimiter), most_splits < 0 ? INT64_MAX : most_splits};
  if (state.delimiter_bytes == 0) {
    state.rest = skip_blanks(string);
    /* A string of blanks only has no parts. */
    if (!*state.rest)
      state.rest = NULL;
  }
  return state;
}

static int next_blank_part(parts *state) {
  const char *end = state->begin = state->rest;
  if (state->splits_left-- == 0) {
    state->end = end + strlen(end);
    state->rest = NULL;
    return 1;
  }
  while (*end && !blank_bytes(end))
    ++end;
  state->end = end;
  state->rest = skip_blanks(end);
  if (!*state->rest)
    state->rest = NULL;
  return 1;
}

static int next_part(parts *state) {
  if (!state->rest)
    return 0;
  if (state->delimiter_bytes == 0)
    return next_blank_part(state);
  state->begin = state->rest;
  const char *found = state->splits_left-- == 0 ? NULL : strstr(state->begin, state->delimiter);
  state->end = found ? found : state->begin + strlen(state->begin);
  state->rest = found ? found + state->delimiter_bytes : NULL;
  return 1;
}

int64_t cameo_text_count_parts(const char *string, const char *delimiter, int64_t most_splits) {
  parts state = begin_parts(string, delimiter, most_splits);
  int64_t count = 0;
  while (next_part(&state))
    ++count;
  return count;
}

const char *cameo_text_take_part(cameo_text_area *area, const char *string, const char *delimiter, int64_t most_splits,
                                 int64_t number) {
  parts state = begin_parts(string, delimiter, most_splits);
  while (next_part(&state)) {
    if (number-- > 0)
      continue;
    size_t bytes = (size_t)(state.end - state.begin);
    /* A part up to the end of the string needs no copy. */
    if (!*state.end)
      return state.begin;
    char *part = cameo_text_allocate(area, bytes);
    if (part)
      memcpy(part, state.begin, bytes);
    return part ? part : "";
  }
  return "";
}
