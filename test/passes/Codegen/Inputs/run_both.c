/* Two models in one program, with their own names. */
#include "first.h"
#include "second.h"

#include <stdio.h>

int main(void) {
  float x[4] = {1, 1, 1, 1}, y[3], h[3];
  _Alignas(CAMEO_ALIGNMENT) char
      workspace[FIRST_WORKSPACE_BYTES > SECOND_WORKSPACE_BYTES ? FIRST_WORKSPACE_BYTES : SECOND_WORKSPACE_BYTES];
  first_inputs first_in = {x};
  first_outputs first_out = {y, h};
  second_inputs second_in = {x};
  second_outputs second_out = {y, h};
  printf("%d %d\n", first_run(&first_in, &first_out, workspace, 0), second_run(&second_in, &second_out, workspace, 0));
  printf("%s %s\n", first_description.name, second_description.name);
  return 0;
}
