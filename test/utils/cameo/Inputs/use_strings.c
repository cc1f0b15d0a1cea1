/* Runs the model of string_ops.onnxtxt as a user would: strings are pointers, those that the run makes go into an array
 * of the program. */
#include "string_ops.h"

#include <cameo/runtime.h>
#include <stdio.h>

_Alignas(STRING_OPS_ALIGNMENT) static char workspace[STRING_OPS_WORKSPACE_BYTES];

static cameo_status run(cameo_text_area *area) {
  const char *const words[] = {"the", "Cat", "A", "\xC3\x89t\xC3\xA9"};
  const float numbers[] = {0.1f, -1e20f};
  const char *kept[STRING_OPS_OUTPUT_KEPT_ELEMENTS], *labelled[STRING_OPS_OUTPUT_LABELLED_ELEMENTS];
  uint8_t known[STRING_OPS_OUTPUT_KNOWN_ELEMENTS];
  int64_t kept_shape[1];
  string_ops_inputs inputs = {.words = words, .numbers = numbers};
  string_ops_outputs outputs = {
      .kept = kept, .labelled = labelled, .known = known, .kept_shape = kept_shape, .text_area = area};
  cameo_status status = string_ops_run(&inputs, &outputs, workspace, NULL);
  if (status != CAMEO_OK) {
    printf("status: %s\n", cameo_status_message(status));
    return status;
  }
  for (int64_t i = 0; i < kept_shape[0]; ++i)
    printf("kept %s\n", kept[i]);
  for (int i = 0; i < 8; ++i)
    printf("labelled %s known %d\n", labelled[i], known[i % 4]);
  return status;
}

int main(void) {
  char memory[256];
  cameo_text_area area = {memory, 16, 0};
  run(NULL);
  run(&area);
  printf("asked for %s\n", area.used > 16 && area.used <= sizeof memory ? "more" : "nonsense");
  /* Strings are made of others, so that one more run may ask for more again. */
  cameo_status status = CAMEO_TEXT_AREA_FULL;
  while (status == CAMEO_TEXT_AREA_FULL && area.used <= sizeof memory) {
    area.capacity = area.used;
    status = run(&area);
  }
  return status == CAMEO_OK && string_ops_description.makes_texts ? 0 : 1;
}
