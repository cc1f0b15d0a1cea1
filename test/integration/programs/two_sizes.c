/* One object, two batches: each sample of the larger must come out as it does alone. */
#include "ModelProgram.h"

#include <math.h>

extern const cameo_model_description MODEL_DESCRIPTION;

enum { samples = 5 };

int main(void) {
  const cameo_model_description *model = &MODEL_DESCRIPTION;
  require(model->symbol_count == 1 && model->input_count == 1 && model->output_count == 1,
          "one symbol, input and output");
  instance all = make_sized_instance(model, 1, samples), one = make_sized_instance(model, 1, 1);
  require(run_instance(&all, NULL) == CAMEO_OK, "run of all");
  uint64_t input_bytes = bytes_of(&one, &model->inputs[0]), output_bytes = bytes_of(&one, &model->outputs[0]);
  require(bytes_of(&all, &model->outputs[0]) == samples * output_bytes, "bytes of all outputs");
  for (int sample = 0; sample < samples; ++sample) {
    memcpy(one.inputs[0], (char *)all.inputs[0] + sample * input_bytes, input_bytes);
    require(run_instance(&one, NULL) == CAMEO_OK, "run of one");
    const float *expected = one.outputs[0],
                *actual = (const float *)all.outputs[0] + sample * (output_bytes / sizeof(float));
    for (uint64_t i = 0; i < output_bytes / sizeof(float); ++i)
      require(fabsf(expected[i] - actual[i]) <= 1e-6f, "the sample alone and among others");
  }
  return 0;
}
