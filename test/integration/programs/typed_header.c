/* A user's program with the generated header: typed structs, sizes as constants. Compiled as C11 and as C++17. */
#include "mlp_tiny.h"

#include <math.h>
#include <stdio.h>

/* Constants are usable where the language wants one. */
static float input[MLP_TINY_INPUT_INPUT_ELEMENTS];
static float output[MLP_TINY_OUTPUT_OUTPUT_BYTES / sizeof(float)];

#ifdef __cplusplus
alignas(MLP_TINY_ALIGNMENT)
#else
_Alignas(MLP_TINY_ALIGNMENT)
#endif
    static unsigned char workspace[MLP_TINY_WORKSPACE_BYTES];

int main(void) {
  mlp_tiny_inputs in;
  mlp_tiny_outputs out;
  in.input = input;
  out.output = output;
  for (int i = 0; i < MLP_TINY_INPUT_INPUT_ELEMENTS; ++i)
    input[i] = (float)i / 16;
  if (mlp_tiny_workspace_size() != MLP_TINY_WORKSPACE_BYTES || mlp_tiny_description.input_count != 1)
    return 1;
  if (mlp_tiny_run(&in, &out, workspace, NULL) != CAMEO_OK)
    return 2;
  /* The network ends in a softmax. */
  float sum = 0;
  for (int i = 0; i < MLP_TINY_OUTPUT_OUTPUT_ELEMENTS; ++i)
    sum += output[i];
  printf("sum %g\n", sum);
  return fabsf(sum - 1) < 1e-5f ? 0 : 3;
}
