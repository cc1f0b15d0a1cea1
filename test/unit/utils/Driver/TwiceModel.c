/* A hand-written compiled model for tests of the tools: y = 2 * x for float x[4], one task. */
#include "cameo/abi.h"

static const int64_t shape[] = {4};
static const cameo_tensor_description inputs[] = {{"x", shape, 16, 1, CAMEO_FLOAT32}};
static const cameo_tensor_description outputs[] = {{"y", shape, 16, 1, CAMEO_FLOAT32}};
static const cameo_task_description tasks[] = {{"Mul", "mul-4", 4, 32, "by hand"}};

static uint64_t workspace_size(const int64_t *symbols) {
  (void)symbols;
  return 0;
}

static cameo_status run(const void *const *in, void *const *out, const int64_t *symbols, void *workspace,
                        const cameo_context *context) {
  (void)symbols;
  (void)workspace;
  if (cameo_abi_4 != CAMEO_ABI_VERSION)
    return CAMEO_ABI_MISMATCH;
  if (context && context->profile)
    context->profile(context->profile_user, 0, 1);
  for (int i = 0; i < 4; ++i)
    ((float *)out[0])[i] = 2 * ((const float *)in[0])[i];
  if (context && context->profile)
    context->profile(context->profile_user, 0, 0);
  return CAMEO_OK;
}

__attribute__((visibility("default"))) const cameo_model_description twice_description = {
    .abi_version = CAMEO_ABI_VERSION,
    .struct_bytes = sizeof(cameo_model_description),
    .name = "twice",
    .target = "host/generic",
    .inputs = inputs,
    .outputs = outputs,
    .tasks = tasks,
    .input_count = 1,
    .output_count = 1,
    .task_count = 1,
    .workspace_size = workspace_size,
    .run = run,
};
