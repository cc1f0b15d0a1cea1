/* Runs the model of many-sizes.py with equal sizes, and then with each of them negative, too large, and another than
 * the rest. */
#include "many.h"

#include <stdio.h>

enum { COUNT = 100, SIZE = 3 };

static float x[SIZE], y[SIZE * COUNT], z[2 * SIZE];
static _Alignas(MANY_ALIGNMENT) char workspace[1 << 20];

int main(void) {
  const cameo_model_description *model = &many_description;
  const void *inputs[COUNT];
  void *outputs[1 + COUNT] = {y};
  int64_t symbols[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    inputs[i] = x;
    outputs[1 + i] = z;
    symbols[i] = SIZE;
  }
  if (model->workspace_size(symbols) > sizeof workspace)
    return 1;
  printf("%d symbols, %d derived: status %d, %d\n", (int)model->symbol_count, (int)model->derived_count,
         model->run(inputs, outputs, symbols, workspace, 0), (int)model->derived_size(symbols, COUNT - 1));
  const int64_t wrong[] = {-1, (INT64_C(1) << 48) + 1, SIZE + 1};
  int by_run = 0, by_workspace_size = 0, by_derived_size = 0;
  for (int i = 0; i < COUNT; ++i) {
    for (int each = 0; each < 3; ++each) {
      symbols[i] = wrong[each];
      by_run += model->run(inputs, outputs, symbols, workspace, 0) == CAMEO_INVALID_ARGUMENT;
      by_workspace_size += model->workspace_size(symbols) == UINT64_MAX;
      by_derived_size += model->derived_size(symbols, COUNT - 1) == -1;
    }
    symbols[i] = SIZE;
  }
  printf("refused %d by run, %d by workspace_size, %d by derived_size\n", by_run, by_workspace_size, by_derived_size);
  return 0;
}
