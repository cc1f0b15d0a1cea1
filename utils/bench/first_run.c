/* Runs a model once in a fresh process and prints what it took, one "name value" per line: the script `footprint` links
 * it with a model's object. Inputs are zeros, and the workspace is touched by the model alone. */
#include "cameo/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const cameo_model_description MODEL_DESCRIPTION;

static void *allocate(uint64_t bytes) {
  void *memory = aligned_alloc(CAMEO_ALIGNMENT, (bytes + CAMEO_ALIGNMENT) / CAMEO_ALIGNMENT * CAMEO_ALIGNMENT);
  if (!memory)
    exit(1);
  return memory;
}

/* Peak of this process, in bytes. */
static uint64_t resident_bytes(void) {
  FILE *status = fopen("/proc/self/status", "r");
  unsigned long long kilobytes = 0;
  char line[256];
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %llu", &kilobytes) == 1)
      break;
  if (status)
    fclose(status);
  return (uint64_t)kilobytes * 1024;
}

int main(void) {
  const cameo_model_description *model = &MODEL_DESCRIPTION;
  if (cameo_model_check(model) || model->symbol_count > 0)
    return 1;
  const void **inputs = allocate(model->input_count * sizeof *inputs);
  /* Behind them, the shapes of those whose size the data decides; nobody asks for these here. */
  size_t pointer_bytes = 2 * model->output_count * sizeof(void *);
  void **outputs = memset(allocate(pointer_bytes), 0, pointer_bytes);
  uint64_t tensor_bytes = 0;
  for (uint32_t i = 0; i < model->input_count; ++i) {
    void *data = allocate(model->inputs[i].size_bytes);
    memset(data, 0, model->inputs[i].size_bytes);
    inputs[i] = data;
    tensor_bytes += model->inputs[i].size_bytes;
  }
  for (uint32_t i = 0; i < model->output_count; ++i) {
    uint64_t bytes = 0; /* at most */
    if (cameo_tensor_bytes(model, &model->outputs[i], NULL, &bytes) != CAMEO_OK)
      return 1;
    outputs[i] = allocate(bytes);
    tensor_bytes += bytes;
  }
  uint64_t workspace_bytes = model->workspace_size(NULL);
  if (model->run(inputs, outputs, NULL, allocate(workspace_bytes), NULL))
    return 1;
  printf("weights %llu\nworkspace %llu\ntensors %llu\nresident %llu\n", (unsigned long long)model->weights_bytes,
         (unsigned long long)workspace_bytes, (unsigned long long)tensor_bytes, (unsigned long long)resident_bytes());
  return 0;
}
