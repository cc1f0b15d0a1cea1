/* A pattern is a deterministic finite automaton over bytes. It is encoded as a string, so that it can be a constant
 * like other strings.
 *
 * The string holds numbers of two bytes, low byte first, each byte from 1 to 255: number = (first - 1) + 255 * (second
 * - 1). In order: the number of states; the number of classes of bytes; 255 classes, one for each byte from 1 on; then
 * for each state whether it accepts (1) or not (0), and the next state for each class. The start state is 1; state 0
 * has no transitions to other states. */
#include "cameo/text.h"

#include <stddef.h>

static uint32_t number_at(const char *automaton, size_t index) {
  const unsigned char *at = (const unsigned char *)automaton + 2 * index;
  return (uint32_t)(at[0] - 1) + 255u * (uint32_t)(at[1] - 1);
}

int32_t cameo_text_matches(const char *string, const char *automaton) {
  enum { header = 2, bytes = 255 };
  uint32_t classes = number_at(automaton, 1), state = 1;
  const size_t states = header + bytes, row = (size_t)classes + 1;
  for (const unsigned char *at = (const unsigned char *)string; *at && state; ++at)
    state = number_at(automaton, states + state * row + 1 + number_at(automaton, header + *at - 1u));
  return (int32_t)number_at(automaton, states + state * row);
}
