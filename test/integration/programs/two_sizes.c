/* One object, two batches: each item of the larger must come out as it does alone. */
#include "ModelProgram.h"

#include <math.h>

extern const cameo_model_description MODEL_DESCRIPTION;

enum { items = 5 };

int main(void) {
  const cameo_model_description *model = &MODEL_DESCRIPTION;
  require(model->symbol_count == 1 && model->input_count == 1 && model->output_count == 1,
          "one symbol, input and output");
  instance all = make_sized_instance(model, 1, items), one = make_sized_instance(model, 1, 1);
  require(run_instance(&all, NULL) == CAMEO_OK, "run of all");
  uint64_t input_bytes = bytes_of(&one, &model->inputs[0]), output_bytes = bytes_of(&one, &model->outputs[0]);
  require(bytes_of(&all, &model->outputs[0]) == items * output_bytes, "bytes of all outputs");
  for (int item = 0; item < items; ++item) {
    memcpy(one.inputs[0], (char *)all.inputs[0] + item * input_bytes, input_bytes);
    require(run_instance(&one, NULL) == CAMEO_OK, "run of one");
    const float *expected = one.outputs[0],
                *actual = (const float *)all.outputs[0] + item * (output_bytes / sizeof(float));
    for (uint64_t i = 0; i < output_bytes / sizeof(float); ++i)
      require(fabsf(expected[i] - actual[i]) <= 1e-6f, "the item alone and among others");
  }
  return 0;
}
