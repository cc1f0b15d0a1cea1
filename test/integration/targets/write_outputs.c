/* Runs a model on inputs from a seed, or on those in INPUTS, one after the other, and writes its outputs likewise to a
 * file: write_outputs FILE THREADS [INPUTS] */
#include "../programs/ModelProgram.h"

extern const cameo_model_description MODEL_DESCRIPTION;

static void read_inputs(const char *path, instance *model) {
  FILE *file = fopen(path, "rb");
  require(file != NULL, "input file");
  for (uint32_t i = 0; i < model->model->input_count; ++i) {
    uint64_t bytes = model->model->inputs[i].size_bytes;
    require(fread(model->inputs[i], 1, bytes, file) == bytes, "read");
  }
  require(fclose(file) == 0, "close");
}

int main(int argc, char **argv) {
  require(argc == 3 || argc == 4, "arguments");
  cameo_thread_pool *pool = NULL;
  require(cameo_thread_pool_create(atoi(argv[2]), &pool) == CAMEO_OK, "pool");
  cameo_context context;
  cameo_context_init(&context, pool);
  instance model = make_instance(&MODEL_DESCRIPTION, 7);
  if (argc == 4)
    read_inputs(argv[3], &model);
  require(run_instance(&model, &context) == CAMEO_OK, "run");

  FILE *file = fopen(argv[1], "wb");
  require(file != NULL, "output file");
  for (uint32_t i = 0; i < model.model->output_count; ++i) {
    uint64_t bytes = model.model->outputs[i].size_bytes;
    require(fwrite(model.outputs[i], 1, bytes, file) == bytes, "write");
  }
  require(fclose(file) == 0, "close");
  cameo_thread_pool_destroy(pool);
  return 0;
}
