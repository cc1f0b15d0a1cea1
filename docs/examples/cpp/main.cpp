// Two models in one program: what one makes, the other takes.
#include "clip.h"
#include "scale.h"

#include <array>
#include <iostream>

int main() {
  alignas(CAMEO_ALIGNMENT) static std::array<char, SCALE_WORKSPACE_BYTES> scaleWorkspace;
  alignas(CAMEO_ALIGNMENT) static std::array<char, CLIP_WORKSPACE_BYTES> clipWorkspace;
  const std::array<float, 4> numbers = {1, -2, 3, -4};
  std::array<float, 4> scaled, clipped;
  scale_inputs scaleInputs{numbers.data()};
  scale_outputs scaleOutputs{scaled.data()};
  if (scale_run(&scaleInputs, &scaleOutputs, scaleWorkspace.data(), nullptr) != CAMEO_OK)
    return 1;
  clip_inputs clipInputs{scaled.data()};
  clip_outputs clipOutputs{clipped.data()};
  if (clip_run(&clipInputs, &clipOutputs, clipWorkspace.data(), nullptr) != CAMEO_OK)
    return 1;
  for (const float &each : clipped)
    std::cout << each << (&each == &clipped.back() ? "\n" : " ");
}
