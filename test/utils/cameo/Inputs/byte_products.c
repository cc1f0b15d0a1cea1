/* Runs qconv.onnxtxt on bytes of every value, and compares it with plain loops. */
#include "qconv.h"

#include <stdio.h>

enum { depth = 32, channels = 64, size = 16, kernel = 3 };

static _Alignas(QCONV_ALIGNMENT) char workspace[QCONV_WORKSPACE_BYTES];
static uint8_t x[depth][size][size];
static int8_t w[channels][depth][kernel][kernel];
static int32_t y[channels][size][size];

static unsigned next_byte(void) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return state >> 24;
}

static int32_t expected(int channel, int row, int column) {
  int32_t sum = 0;
  for (int d = 0; d < depth; ++d)
    for (int i = 0; i < kernel; ++i)
      for (int j = 0; j < kernel; ++j) {
        int r = row + i - 1, c = column + j - 1;
        if (r >= 0 && r < size && c >= 0 && c < size)
          sum += x[d][r][c] * w[channel][d][i][j];
      }
  return sum;
}

int main(void) {
  for (size_t i = 0; i < sizeof(x); ++i)
    ((uint8_t *)x)[i] = (uint8_t)next_byte();
  for (size_t i = 0; i < sizeof(w); ++i)
    ((int8_t *)w)[i] = (int8_t)next_byte();
  qconv_inputs inputs = {.x = &x[0][0][0], .w = &w[0][0][0][0]};
  qconv_outputs outputs = {.y = &y[0][0][0]};
  if (qconv_run(&inputs, &outputs, workspace, 0) != CAMEO_OK)
    return 1;
  unsigned wrong = 0;
  for (int channel = 0; channel < channels; ++channel)
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column)
        wrong += y[channel][row][column] != expected(channel, row, column);
  printf("%u wrong\n", wrong);
  return wrong != 0;
}
