/* Runs the model of net.mlir with a parallel_for that takes pieces of one iteration backwards, and a profile. */
#include "net.h"

#include <stdio.h>

static void backwards(void *user, cameo_kernel kernel, void *const *buffers, int64_t extent) {
  *(int *)user += 1;
  for (int64_t i = extent; i-- > 0;)
    kernel(buffers, i, i + 1);
}

static void profile(void *user, uint32_t task_index, int32_t begin) {
  (void)user;
  printf("%s %s (%s)\n", begin ? "begin" : "end", net_description.tasks[task_index].name,
         net_description.tasks[task_index].key);
}

int main(void) {
  float x[4] = {1, 1, 1, 1}, y[3], h[3];
  _Alignas(NET_ALIGNMENT) char workspace[NET_WORKSPACE_BYTES];
  net_inputs in = {x};
  net_outputs out = {y, h};
  int calls = 0;
  cameo_context context = {CAMEO_ABI_VERSION, 2, backwards, &calls, profile, 0, 0};
  cameo_status status = net_run(&in, &out, workspace, &context);
  printf("status %d: %g %g %g, parallel loops: %d\n", status, y[0], y[1], y[2], calls);
  context.thread_count = 1;
  context.profile = 0;
  status = net_run(&in, &out, workspace, &context);
  printf("one thread: status %d, parallel loops: %d\n", status, calls);

  const cameo_model_description *model = &net_description;
  printf("%s: %u inputs, %u outputs, %u tasks, %u symbols, %llu bytes of weights, %llu of workspace, hash %llu\n",
         model->name, model->input_count, model->output_count, model->task_count, model->symbol_count,
         (unsigned long long)model->weights_bytes, (unsigned long long)model->workspace_size(0),
         (unsigned long long)model->external_weights_hash);
  for (uint32_t i = 0; i < model->output_count; ++i)
    printf("output '%s': type %d, rank %d, last dimension %lld, %llu bytes\n", model->outputs[i].name,
           model->outputs[i].element_type, model->outputs[i].rank,
           (long long)model->outputs[i].shape[model->outputs[i].rank - 1],
           (unsigned long long)model->outputs[i].size_bytes);
  printf("flops of '%s': %g\n", model->tasks[0].name, model->tasks[0].flops);
  return 0;
}
