/* A compiled model with a fault: its description is that of `inner`, and its `run` does one thing more. FAULT is one of
 * those below. */
#include "cameo/runtime.h"

#include <string.h>

enum {
  StoreBehindOutput = 1,
  StoreBeforeOutput,
  LoadBehindInput,
  StoreToInput,
  StoreBehindWorkspace,
  WrongLastByte,
  UsesOldOutput,
  OverlappingParts,
  NeverEnds
};

extern const cameo_model_description inner_description;
cameo_model_description m_description;

static unsigned char *overlapped;

static void overlap(void *const *buffers, int64_t begin, int64_t end) {
  (void)buffers;
  for (int64_t i = begin; i < end; ++i)
    *overlapped = (unsigned char)i; /* which iteration is last? */
}

static cameo_status run(const void *const *inputs, void *const *outputs, const int64_t *symbols, void *workspace,
                        const cameo_context *context) {
  uint64_t bytes = 0, input_bytes = 0;
  cameo_tensor_bytes(&inner_description, &inner_description.outputs[0], symbols, &bytes);
  volatile unsigned char *output = outputs[0], old = bytes ? output[0] : 0;
  cameo_status status = inner_description.run(inputs, outputs, symbols, workspace, context);
  if (status != CAMEO_OK || bytes == 0)
    return status;
  if (inner_description.input_count)
    cameo_tensor_bytes(&inner_description, &inner_description.inputs[0], symbols, &input_bytes);
  if (FAULT == StoreBehindOutput)
    output[bytes] = 1;
  if (FAULT == StoreBeforeOutput)
    output[-1] = 1;
  if (FAULT == LoadBehindInput && inner_description.input_count)
    (void)((const volatile unsigned char *)inputs[0])[input_bytes];
  if (FAULT == StoreToInput && input_bytes)
    ((volatile unsigned char *)inputs[0])[0] = 1;
  if (FAULT == StoreBehindWorkspace)
    ((volatile unsigned char *)workspace)[inner_description.workspace_size(symbols)] = 1;
  if (FAULT == WrongLastByte)
    output[bytes - 1] ^= 0x41;
  if (FAULT == UsesOldOutput)
    output[0] ^= (unsigned char)(old & 1);
  if (FAULT == OverlappingParts && context) {
    overlapped = (unsigned char *)output;
    context->parallel_for(context->parallel_user, overlap, NULL, 7);
  }
  while (FAULT == NeverEnds)
    ++*output;
  return status;
}

__attribute__((constructor)) static void describe(void) {
  memcpy(&m_description, &inner_description, sizeof m_description);
  m_description.run = run;
}
