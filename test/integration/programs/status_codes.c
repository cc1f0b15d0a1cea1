/* What `run` says to arguments that it cannot accept. */
#include "ModelProgram.h"

extern const cameo_model_description MODEL_DESCRIPTION;

int main(void) {
  const cameo_model_description *model = &MODEL_DESCRIPTION;
  instance it = make_instance(model, 1);
  cameo_context context;
  cameo_context_init(&context, NULL);
  require(run_instance(&it, &context) == CAMEO_OK, "a good call");

  context.abi_version = CAMEO_ABI_VERSION + 1;
  require(run_instance(&it, &context) == CAMEO_ABI_MISMATCH, "a context of another version");
  context.abi_version = CAMEO_ABI_VERSION;

  void *input = it.inputs[0], *output = it.outputs[0], *workspace = it.workspace;
  it.inputs[0] = NULL;
  require(run_instance(&it, &context) == CAMEO_INVALID_ARGUMENT, "a null input");
  it.inputs[0] = input;
  it.outputs[0] = NULL;
  require(run_instance(&it, &context) == CAMEO_INVALID_ARGUMENT, "a null output");
  it.outputs[0] = output;
  if (model->symbol_count > 0) {
    int64_t size = it.symbols[0];
    it.symbols[0] = -1;
    require(run_instance(&it, &context) == CAMEO_INVALID_ARGUMENT, "a negative size");
    require(model->workspace_size(it.symbols) == UINT64_MAX, "no workspace for a negative size");
    it.symbols[0] = INT64_MAX;
    require(run_instance(&it, &context) == CAMEO_INVALID_ARGUMENT, "a size of too many bytes");
    it.symbols[0] = size;
    require(model->run((const void *const *)it.inputs, it.outputs, NULL, it.workspace, &context) ==
                CAMEO_INVALID_ARGUMENT,
            "no sizes");
    require(model->workspace_size(NULL) == UINT64_MAX, "no workspace for no sizes");
    require(!model->derived_size || model->derived_size(NULL, 0) == -1, "no derived size of no sizes");
  }
  if (model->workspace_size(it.symbols) > 0) {
    it.workspace = NULL;
    require(run_instance(&it, &context) == CAMEO_INVALID_ARGUMENT, "a null workspace");
    it.workspace = (char *)workspace + 1;
    require(run_instance(&it, &context) == CAMEO_INVALID_ARGUMENT, "a misaligned workspace");
    it.workspace = workspace;
  }
  require(run_instance(&it, &context) == CAMEO_OK, "a good call after bad ones");
  return 0;
}
