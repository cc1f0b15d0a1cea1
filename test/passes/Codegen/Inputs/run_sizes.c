/* Runs the model of sizes.mlir with several sizes: on memory of exactly the stated size, and with sizes that it
 * refuses. */
#include "sizes.h"

#include <stdio.h>
#include <stdlib.h>

static void run(sizes_dims dims) {
  uint64_t workspace_bytes = sizes_workspace_size(&dims);
  float *x = malloc(sizes_input_x_bytes(&dims)), *state = malloc(sizes_input_state_bytes(&dims));
  float *y = malloc(sizes_output_y_bytes(&dims)), *z = malloc(sizes_output_z_bytes(&dims));
  void *workspace = aligned_alloc(SIZES_ALIGNMENT, workspace_bytes);
  for (int64_t i = 0; i < dims.batch * dims.n; ++i)
    x[i] = (float)i;
  sizes_inputs inputs = {x, state};
  sizes_outputs outputs = {y, z};
  printf("status %d:", sizes_run(&inputs, &outputs, &dims, workspace, 0));
  for (uint64_t i = 0; i < sizes_output_y_bytes(&dims) / sizeof *y; ++i)
    printf(" %g", y[i]);
  printf(" z");
  for (uint64_t i = 0; i < sizes_output_z_bytes(&dims) / sizeof *z; ++i)
    printf(" %g", z[i]);
  printf(" workspace %d\n", (int)workspace_bytes);
  free(x), free(state), free(y), free(z), free(workspace);
}

static void refuse(const char *why, sizes_dims dims) {
  float memory[16];
  sizes_inputs inputs = {memory, memory};
  sizes_outputs outputs = {memory, memory};
  _Alignas(SIZES_ALIGNMENT) static char workspace[4096];
  printf("%s: %d, workspace %s\n", why, sizes_run(&inputs, &outputs, &dims, workspace, 0),
         sizes_workspace_size(&dims) == UINT64_MAX ? "none" : "some");
}

int main(void) {
  const cameo_model_description *model = &sizes_description;
  printf("check %d, symbols %s %s %s, derived '%s' '%s'\n", cameo_model_check(model), model->symbols[0],
         model->symbols[1], model->symbols[2], model->derived[0], model->derived[1]);
  run((sizes_dims){.batch = 1, .n = 3, .past = 1});
  run((sizes_dims){.batch = 2, .n = 4, .past = 7});
  run((sizes_dims){.batch = 0, .n = 4, .past = 1});
  refuse("negative", (sizes_dims){.batch = -1, .n = 1, .past = 1});
  refuse("negative derived", (sizes_dims){.batch = 1, .n = 1, .past = 0});
  refuse("too many elements", (sizes_dims){.batch = INT64_C(1) << 32, .n = INT64_C(1) << 32, .past = 1});
  refuse("too large beside a zero", (sizes_dims){.batch = 0, .n = INT64_C(1) << 49, .past = 1});
  refuse("too many bytes", (sizes_dims){.batch = 1, .n = INT64_C(1) << 61, .past = 1});
  printf("no sizes: %d, %d\n", sizes_run_buffers(0, 0, 0, 0, 0), sizes_run(0, 0, 0, 0, 0));
  printf("bytes of no sizes: %d %d %d\n", sizes_workspace_size(0) == UINT64_MAX, sizes_input_x_bytes(0) == UINT64_MAX,
         model->workspace_size(0) == UINT64_MAX && model->derived_size(0, 0) == -1);
  int64_t symbols[] = {1, 5, 4}, shape[2];
  cameo_status status = cameo_tensor_shape(model, &model->outputs[0], symbols, shape);
  printf("shape %d: %dx%d\n", status, (int)shape[0], (int)shape[1]);
  return 0;
}
