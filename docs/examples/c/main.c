/* Two models in one program: what one makes, the other takes. */
#include "clip.h"
#include "scale.h"

#include <stdio.h>

static _Alignas(CAMEO_ALIGNMENT) char scale_workspace[SCALE_WORKSPACE_BYTES], clip_workspace[CLIP_WORKSPACE_BYTES];

int main(void) {
  const float numbers[4] = {1, -2, 3, -4};
  float scaled[4], clipped[4];
  scale_inputs scale_in = {.x = numbers};
  scale_outputs scale_out = {.y = scaled};
  if (scale_run(&scale_in, &scale_out, scale_workspace, NULL) != CAMEO_OK)
    return 1;
  clip_inputs clip_in = {.x = scaled};
  clip_outputs clip_out = {.y = clipped};
  if (clip_run(&clip_in, &clip_out, clip_workspace, NULL) != CAMEO_OK)
    return 1;
  printf("%g %g %g %g\n", clipped[0], clipped[1], clipped[2], clipped[3]);
  return 0;
}
