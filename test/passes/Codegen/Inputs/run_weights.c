/* Runs the model of net.mlir with the weights file that is named, and with what is no weights of it. */
#include "cameo/runtime.h"
#include "net.h"

#include <stdio.h>

int main(int argc, char **argv) {
  float x[4] = {1, 1, 1, 1}, y[3], h[3];
  _Alignas(NET_ALIGNMENT) char workspace[NET_WORKSPACE_BYTES];
  _Alignas(NET_ALIGNMENT) static char other[NET_WEIGHTS_BYTES];
  net_inputs in = {x};
  net_outputs out = {y, h};
  cameo_context context;
  cameo_context_init(&context, 0);
  printf("no context: %d\n", net_run(&in, &out, workspace, 0));
  printf("no weights: %d\n", net_run(&in, &out, workspace, &context));
  context.weights = other;
  printf("other weights: %d\n", net_run(&in, &out, workspace, &context));
  context.weights = other + 8;
  printf("misaligned weights: %d\n", net_run(&in, &out, workspace, &context));
  cameo_weights weights;
  printf("map: %d\n", cameo_weights_map(argc > 1 ? argv[1] : "", &net_description, &weights));
  context.weights = weights.base;
  cameo_status status = net_run(&in, &out, workspace, &context);
  printf("status %d: %g %g %g\n", status, y[0], y[1], y[2]);
  cameo_weights_unmap(&weights);
  return 0;
}
