/* Runs the model of net.mlir and prints its results; then what `run` makes of wrong arguments. */
#include "net.h"

#include <stdio.h>

static float x[4] = {1, 1, 1, 1};
static float y[3], h[3];
_Alignas(NET_ALIGNMENT) static char workspace[NET_WORKSPACE_BYTES + NET_ALIGNMENT];

int main(void) {
  net_inputs in = {x};
  net_outputs out = {y, h};
  cameo_status status = net_run(&in, &out, workspace, 0);
  printf("status %d: y %g %g %g h %g %g %g\n", status, y[0], y[1], y[2], h[0], h[1], h[2]);

  net_inputs no_input = {0};
  printf("no input: %d\n", net_run(&no_input, &out, workspace, 0));
  net_outputs no_output = {y, 0};
  printf("no output: %d\n", net_run(&in, &no_output, workspace, 0));
  printf("no workspace: %d\n", net_run(&in, &out, 0, 0));
  printf("misaligned workspace: %d\n", net_run(&in, &out, workspace + 4, 0));
  printf("no arrays: %d\n", net_run_buffers(0, 0, 0, workspace, 0));
  cameo_context other = {.abi_version = CAMEO_ABI_VERSION + 1};
  printf("other context: %d\n", net_run(&in, &out, workspace, &other));
  return 0;
}
