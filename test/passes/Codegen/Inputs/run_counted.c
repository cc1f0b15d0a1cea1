/* Runs the model of counted.mlir: outputs have room for the most that can be found, and say how much it was. */
#include "counted.h"

#include <cameo/runtime.h>
#include <stdio.h>

_Alignas(COUNTED_ALIGNMENT) static char workspace[COUNTED_WORKSPACE_BYTES];

static void run(const float *x) {
  float y[COUNTED_OUTPUT_Y_ELEMENTS], twice[COUNTED_OUTPUT_TWICE_ELEMENTS], again[COUNTED_OUTPUT_X_AGAIN_ELEMENTS];
  int64_t y_shape[1], twice_shape[1];
  counted_inputs inputs = {.x = x};
  counted_outputs outputs = {.y = y, .twice = twice, .x_again = again, .y_shape = y_shape, .twice_shape = twice_shape};
  printf("status %d:", counted_run(&inputs, &outputs, workspace, 0));
  printf(" %d of", (int)y_shape[0]);
  for (int64_t i = 0; i < y_shape[0]; ++i)
    printf(" %g", y[i]);
  printf(", twice");
  for (int64_t i = 0; i < twice_shape[0]; ++i)
    printf(" %g", twice[i]);
  printf("\n");
}

int main(void) {
  const cameo_model_description *model = &counted_description;
  uint64_t bytes = 0;
  int64_t shape[1] = {0};
  cameo_tensor_bytes(model, &model->outputs[0], 0, &bytes);
  cameo_tensor_shape(model, &model->outputs[1], 0, shape);
  printf("check %d, data-sized %d %d, at most %d bytes, %d\n", cameo_model_check(model),
         cameo_tensor_is_data_sized(model, &model->outputs[0]), cameo_tensor_is_data_sized(model, &model->outputs[2]),
         (int)bytes, (int)shape[0]);
  const float some[6] = {1.5f, 0, 2.5f, 1, 0, 3.5f}, none[6] = {0};
  run(some);
  run(none);
  float memory[3][6];
  counted_inputs inputs = {.x = some};
  counted_outputs outputs = {.y = memory[0], .twice = memory[1], .x_again = memory[2]};
  printf("nobody asks: %d\n", counted_run(&inputs, &outputs, workspace, 0));
  return 0;
}
