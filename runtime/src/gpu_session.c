/* Runs a model on a device. */
#include "gpu_session.h"

#include "cameo/runtime.h"

#include <stdlib.h>

/* Kernels with dynamic sizes read the first element of a tensor even if it is empty. These zeros are read then. */
enum { EMPTY_BYTES = 64 };

static uint32_t most_buffers(const cameo_gpu_model *model) {
  uint32_t most = 2;
  for (uint32_t i = 0; i < model->step_count; ++i)
    if (model->steps[i].buffer_count > most)
      most = model->steps[i].buffer_count;
  return most;
}

/* Allocates at least one element, so that null always means out of memory. */
static void *allocate_host(size_t count, size_t bytes) { return calloc(count ? count : 1, bytes); }

static cameo_status create(cameo_gpu_session *session, const int64_t *symbols) {
  const cameo_gpu_model *model = session->gpu->model;
  const cameo_model_description *description = model->description;
  const gpu_driver *driver = session->gpu->driver;
  session->workspace_bytes = description->workspace_size(symbols);
  if (session->workspace_bytes == UINT64_MAX)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, description->symbol_count > 0 && !symbols
                                                      ? "expected the sizes of the session's dimensions, got NULL"
                                                      : "the model does not accept these sizes");
  uint32_t most = most_buffers(model), tensors = description->input_count + description->output_count;
  session->addresses = allocate_host(most, sizeof *session->addresses);
  session->arguments = allocate_host(most, sizeof *session->arguments);
  session->tensors = allocate_host(tensors, sizeof *session->tensors);
  session->tensor_bytes = allocate_host(tensors, sizeof *session->tensor_bytes);
  session->staged = allocate_host(tensors, sizeof *session->staged);
  session->numbers = allocate_host(model->number_count, sizeof *session->numbers);
  session->found = allocate_host(model->found_count, sizeof *session->found);
  session->iterations = allocate_host(model->step_count, sizeof *session->iterations);
  if (!session->addresses || !session->arguments || !session->tensors || !session->tensor_bytes || !session->staged ||
      !session->numbers || !session->found || !session->iterations)
    return cameo_gpu_fail(CAMEO_OUT_OF_MEMORY, "out of memory");
  enum { NON_BLOCKING = 1 };
  cuda_result result = driver->cuStreamCreate(&session->stream, NON_BLOCKING);
  if (result == 0 && session->workspace_bytes > 0)
    result = driver->cuMemAlloc_v2(&session->workspace, session->workspace_bytes);
  if (result == 0)
    result = driver->cuMemAlloc_v2(&session->empty, EMPTY_BYTES);
  static const char zeros[EMPTY_BYTES];
  if (result == 0)
    result = driver->cuMemcpyHtoD_v2(session->empty, zeros, sizeof zeros);
  size_t counter_bytes = model->counter_count * sizeof(uint32_t);
  if (result == 0 && counter_bytes > 0)
    result = driver->cuMemAlloc_v2(&session->counters, counter_bytes);
  if (result == 0 && counter_bytes > 0)
    result = driver->cuMemsetD8Async(session->counters, 0, counter_bytes, NULL);
  if (result == 0)
    result = driver->cuStreamSynchronize(NULL);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(driver, "creating a session", result);
}

cameo_status cameo_gpu_session_create(cameo_gpu *gpu, const int64_t *symbols, cameo_gpu_session **session) {
  if (!session)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected a pointer for the session, got NULL");
  *session = NULL;
  if (!gpu)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected a loaded model, got NULL");
  cameo_gpu_session *made = calloc(1, sizeof *made);
  if (!made)
    return cameo_gpu_fail(CAMEO_OUT_OF_MEMORY, "out of memory");
  made->gpu = gpu;
  cameo_status status = cameo_gpu_enter(gpu);
  if (status == CAMEO_OK) {
    status = create(made, symbols);
    cameo_gpu_leave(gpu);
  }
  if (status != CAMEO_OK) {
    cameo_gpu_session_destroy(made);
    return status;
  }
  *session = made;
  return CAMEO_OK;
}

void cameo_gpu_session_destroy(cameo_gpu_session *session) {
  if (!session)
    return;
  const gpu_driver *driver = session->gpu->driver;
  const cameo_model_description *description = session->gpu->model->description;
  if (cameo_gpu_enter(session->gpu) == CAMEO_OK) {
    if (session->stream) {
      driver->cuStreamSynchronize(session->stream);
      driver->cuStreamDestroy_v2(session->stream);
    }
    if (session->workspace)
      driver->cuMemFree_v2(session->workspace);
    if (session->empty)
      driver->cuMemFree_v2(session->empty);
    if (session->counters)
      driver->cuMemFree_v2(session->counters);
    for (uint32_t i = 0; session->staged && i < description->input_count + description->output_count; ++i)
      if (session->staged[i].address)
        driver->cuMemFree_v2(session->staged[i].address);
    cameo_gpu_leave(session->gpu);
  }
  free(session->addresses);
  free(session->arguments);
  free(session->call_memory);
  free(session->tensors);
  free(session->tensor_bytes);
  free(session->staged);
  free(session->numbers);
  free(session->found);
  free(session->iterations);
  free(session);
}

/* Computes the sizes of all tensors in bytes and the numbers that depend on the sizes of the run. */
static cameo_status take_sizes(cameo_gpu_session *session, const int64_t *symbols) {
  const cameo_gpu_model *model = session->gpu->model;
  const cameo_model_description *description = model->description;
  if (description->symbol_count > 0 && !symbols)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected the sizes of the run's dimensions, got NULL");
  session->symbols = symbols;
  for (uint32_t i = 0; i < model->found_count; ++i)
    session->found[i] = -1;
  if (model->numbers) {
    uint64_t needed = description->workspace_size(symbols);
    if (needed == UINT64_MAX || model->numbers(symbols, session->found, session->numbers) != CAMEO_OK)
      return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "the model does not accept these sizes");
    if (needed > session->workspace_bytes)
      return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT,
                            "expected a session with at least %llu bytes of workspace for these sizes, got %llu",
                            (unsigned long long)needed, (unsigned long long)session->workspace_bytes);
  }
  for (uint32_t i = 0; i < description->input_count + description->output_count; ++i) {
    const cameo_tensor_description *tensor =
        i < description->input_count ? &description->inputs[i] : &description->outputs[i - description->input_count];
    session->tensor_bytes[i] = tensor->size_bytes;
    if (model->numbers && cameo_tensor_bytes(description, tensor, symbols, &session->tensor_bytes[i]) != CAMEO_OK)
      return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "the model does not accept these sizes");
  }
  return CAMEO_OK;
}

/* The driver's device addresses have 64 bits, like pointers on all platforms that have the driver. */
_Static_assert(sizeof(void *) == sizeof(device_address), "pointers of the caller are addresses of the device");

/* Returns the area for strings that the caller passed after the outputs and the arrays for their dimensions, or null.
 */
static cameo_text_area *given_text_area(const cameo_model_description *description, void *const *outputs) {
  uint32_t index = description->output_count;
  for (uint32_t i = 0; i < description->output_count; ++i)
    index += cameo_tensor_is_data_sized(description, &description->outputs[i]) != 0;
  return outputs ? outputs[index] : NULL;
}

/* Returns the address that the caller passed for tensor number `index`, inputs first, or null. */
static const void *given(const cameo_gpu_session *session, uint32_t index, const void *const *inputs,
                         void *const *outputs) {
  uint32_t count = session->gpu->model->description->input_count;
  if (index < count)
    return inputs ? inputs[index] : NULL;
  return outputs ? outputs[index - count] : NULL;
}

cameo_status cameo_gpu_begin_run(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                 const int64_t *symbols) {
  if (!session)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected a session, got NULL");
  cameo_status status = take_sizes(session, symbols);
  if (status != CAMEO_OK)
    return status;
  const cameo_model_description *description = session->gpu->model->description;
  for (uint32_t i = 0; i < description->input_count + description->output_count; ++i) {
    const void *tensor = given(session, i, inputs, outputs);
    if (!tensor && session->tensor_bytes[i] > 0)
      return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected an address for each input and output, got NULL");
    session->tensors[i] = session->tensor_bytes[i] > 0 ? (device_address)(uintptr_t)tensor : session->empty;
  }
  session->text_area = description->makes_texts ? given_text_area(description, outputs) : NULL;
  if (description->makes_texts && !session->text_area)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected a text area after the outputs");
  return cameo_gpu_enter(session->gpu);
}

cameo_status cameo_gpu_enqueue(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                               const int64_t *symbols, void *stream) {
  cameo_status status = cameo_gpu_begin_run(session, inputs, outputs, symbols);
  if (status != CAMEO_OK)
    return status;
  status = cameo_gpu_enqueue_steps(session, stream);
  if (status == CAMEO_OK)
    cameo_gpu_take_shapes(session, outputs);
  cameo_gpu_leave(session->gpu);
  return status;
}

/* Returns the number of the input that the caller passed in the same memory as output number `output`, or -1. */
static int64_t shared_input(const cameo_gpu_session *session, uint32_t output) {
  const cameo_model_description *description = session->gpu->model->description;
  int64_t input = description->shared_inputs ? description->shared_inputs[output] : -1;
  return input >= 0 && session->tensors[input] == session->tensors[description->input_count + output] ? input : -1;
}

/* Allocates device memory for tensors in host memory, large enough for the sizes of this run. */
static cameo_status stage(cameo_gpu_session *session) {
  const gpu_driver *driver = session->gpu->driver;
  const cameo_model_description *description = session->gpu->model->description;
  /* Outputs come first, because shared_input compares them with the addresses of the inputs that the caller passed. */
  for (uint32_t i = description->input_count + description->output_count; i-- > 0;) {
    int64_t shared = i >= description->input_count ? shared_input(session, i - description->input_count) : -1;
    struct staged *staged = &session->staged[shared >= 0 ? shared : i];
    if (session->tensor_bytes[i] > staged->bytes) {
      if (staged->address)
        driver->cuMemFree_v2(staged->address);
      *staged = (struct staged){0, 0};
      cuda_result result = driver->cuMemAlloc_v2(&staged->address, session->tensor_bytes[i]);
      if (result != 0)
        return cameo_gpu_fail_driver(driver,
                                     i < description->input_count
                                         ? description->inputs[i].name
                                         : description->outputs[i - description->input_count].name,
                                     result);
      staged->bytes = session->tensor_bytes[i];
    }
    if (session->tensor_bytes[i] > 0)
      session->tensors[i] = staged->address;
  }
  return CAMEO_OK;
}

cameo_status cameo_gpu_copy_inputs(cameo_gpu_session *session, const void *const *inputs) {
  const gpu_driver *driver = session->gpu->driver;
  cameo_status status = stage(session);
  if (status != CAMEO_OK)
    return status;
  cuda_result result = 0;
  for (uint32_t i = 0; i < session->gpu->model->description->input_count && result == 0; ++i)
    if (session->tensor_bytes[i] > 0)
      result = driver->cuMemcpyHtoDAsync_v2(session->tensors[i], inputs[i], session->tensor_bytes[i], session->stream);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(driver, "copying the inputs", result);
}

cameo_status cameo_gpu_copy_outputs(cameo_gpu_session *session, void *const *outputs) {
  const gpu_driver *driver = session->gpu->driver;
  const cameo_model_description *description = session->gpu->model->description;
  cameo_gpu_take_shapes(session, outputs);
  cuda_result result = 0;
  for (uint32_t i = 0, at = description->input_count; i < description->output_count && result == 0; ++i, ++at)
    if (session->tensor_bytes[at] > 0)
      result =
          driver->cuMemcpyDtoHAsync_v2(outputs[i], session->tensors[at], session->tensor_bytes[at], session->stream);
  if (result == 0)
    result = driver->cuStreamSynchronize(session->stream);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(driver, "running", result);
}

cameo_status cameo_gpu_run(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                           const int64_t *symbols) {
  cameo_status status = cameo_gpu_begin_run(session, inputs, outputs, symbols);
  if (status != CAMEO_OK)
    return status;
  status = cameo_gpu_copy_inputs(session, inputs);
  if (status == CAMEO_OK)
    status = cameo_gpu_enqueue_steps(session, session->stream);
  if (status == CAMEO_OK)
    status = cameo_gpu_copy_outputs(session, outputs);
  cameo_gpu_leave(session->gpu);
  return status;
}
