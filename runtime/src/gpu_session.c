/* Runs of a model on a device. */
#include "gpu_driver.h"

#include <stdlib.h>

struct cameo_gpu_session {
  cameo_gpu *gpu;
  void *stream;
  device_address workspace;
  device_address *inputs, *outputs; /* for tensors of the host; null before the first of them */
  device_address *addresses;        /* of the buffers of one launch */
  void **arguments;                 /* where these are */
};

static uint32_t most_buffers(const cameo_gpu_model *model) {
  uint32_t most = 2;
  for (uint32_t i = 0; i < model->step_count; ++i)
    if (model->steps[i].buffer_count > most)
      most = model->steps[i].buffer_count;
  return most;
}

static cameo_status create(cameo_gpu_session *session) {
  const cameo_gpu_model *model = session->gpu->model;
  const gpu_driver *driver = session->gpu->driver;
  uint32_t most = most_buffers(model);
  session->addresses = calloc(most, sizeof *session->addresses);
  session->arguments = calloc(most, sizeof *session->arguments);
  if (!session->addresses || !session->arguments)
    return cameo_gpu_fail(CAMEO_OUT_OF_MEMORY, "out of memory");
  for (uint32_t i = 0; i < most; ++i)
    session->arguments[i] = &session->addresses[i];
  enum { NON_BLOCKING = 1 };
  cuda_result result = driver->cuStreamCreate(&session->stream, NON_BLOCKING);
  if (result == 0 && model->workspace_bytes > 0)
    result = driver->cuMemAlloc_v2(&session->workspace, model->workspace_bytes);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(driver, "creating a session", result);
}

cameo_status cameo_gpu_session_create(cameo_gpu *gpu, cameo_gpu_session **session) {
  if (!session)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected a place for the session");
  *session = NULL;
  if (!gpu)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected a loaded model");
  cameo_gpu_session *made = calloc(1, sizeof *made);
  if (!made)
    return cameo_gpu_fail(CAMEO_OUT_OF_MEMORY, "out of memory");
  made->gpu = gpu;
  cameo_status status = cameo_gpu_enter(gpu);
  if (status == CAMEO_OK) {
    status = create(made);
    cameo_gpu_leave(gpu);
  }
  if (status != CAMEO_OK) {
    cameo_gpu_session_destroy(made);
    return status;
  }
  *session = made;
  return CAMEO_OK;
}

static void free_tensors(const gpu_driver *driver, device_address *tensors, uint32_t count) {
  for (uint32_t i = 0; tensors && i < count; ++i)
    if (tensors[i])
      driver->cuMemFree_v2(tensors[i]);
  free(tensors);
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
    free_tensors(driver, session->inputs, description->input_count);
    free_tensors(driver, session->outputs, description->output_count);
    cameo_gpu_leave(session->gpu);
  }
  free(session->addresses);
  free(session->arguments);
  free(session);
}

static device_address address_of(const cameo_gpu_session *session, const cameo_gpu_buffer *buffer, const device_address *inputs, const device_address *outputs) {
  switch (buffer->base) {
  case CAMEO_GPU_INPUT:
    return inputs[buffer->index] + buffer->offset;
  case CAMEO_GPU_OUTPUT:
    return outputs[buffer->index] + buffer->offset;
  case CAMEO_GPU_WORKSPACE:
    return session->workspace + buffer->offset;
  default:
    return session->gpu->weights + buffer->offset;
  }
}

static cuda_result enqueue_step(cameo_gpu_session *session, const cameo_gpu_step *step, const device_address *inputs, const device_address *outputs, void *stream) {
  const cameo_gpu *gpu = session->gpu;
  for (uint32_t i = 0; i < step->buffer_count; ++i)
    session->addresses[i] = address_of(session, &gpu->model->buffers[step->first_buffer + i], inputs, outputs);
  if (step->count == 0)
    return 0;
  if (step->kind == CAMEO_GPU_COPY)
    return gpu->driver->cuMemcpyDtoDAsync_v2(session->addresses[1], session->addresses[0], step->count, stream);
  return gpu->driver->cuLaunchKernel(gpu->functions[step->kernel], (unsigned)step->count, 1, 1, gpu->model->kernels[step->kernel].threads, 1, 1, 0, stream,
                                     session->arguments, NULL);
}

/* In the context of the device. */
static cameo_status enqueue_steps(cameo_gpu_session *session, const device_address *inputs, const device_address *outputs, void *stream) {
  const cameo_gpu_model *model = session->gpu->model;
  for (uint32_t i = 0; i < model->step_count; ++i) {
    cuda_result result = enqueue_step(session, &model->steps[i], inputs, outputs, stream);
    if (result != 0)
      return cameo_gpu_fail_driver(session->gpu->driver, model->steps[i].kind == CAMEO_GPU_COPY ? "copying" : model->kernels[model->steps[i].kernel].name, result);
  }
  return CAMEO_OK;
}

static int is_missing(const void *const *pointers, const cameo_tensor_description *tensors, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (tensors[i].size_bytes > 0 && (!pointers || !pointers[i]))
      return 1;
  return 0;
}

/* Behind it the thread is in the context of the device, if that is CAMEO_OK. */
static cameo_status begin_run(const cameo_gpu_session *session, const void *const *inputs, void *const *outputs) {
  if (!session)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected a session");
  const cameo_model_description *description = session->gpu->model->description;
  if (is_missing(inputs, description->inputs, description->input_count) ||
      is_missing((const void *const *)outputs, description->outputs, description->output_count))
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected an address for every input and output");
  return cameo_gpu_enter(session->gpu);
}

/* Addresses of the device are numbers of 64 bits, as pointers are where there is a driver. */
_Static_assert(sizeof(void *) == sizeof(device_address), "pointers of the caller are addresses of the device");

cameo_status cameo_gpu_enqueue(cameo_gpu_session *session, const void *const *inputs, void *const *outputs, void *stream) {
  cameo_status status = begin_run(session, inputs, outputs);
  if (status != CAMEO_OK)
    return status;
  status = enqueue_steps(session, (const device_address *)inputs, (const device_address *)outputs, stream);
  cameo_gpu_leave(session->gpu);
  return status;
}

/* Memory for tensors of the host; an empty one has an address, too. */
static cameo_status allocate(cameo_gpu_session *session, const cameo_tensor_description *tensors, uint32_t count, device_address **addresses) {
  if (*addresses)
    return CAMEO_OK;
  *addresses = calloc(count ? count : 1, sizeof **addresses);
  if (!*addresses)
    return cameo_gpu_fail(CAMEO_OUT_OF_MEMORY, "out of memory");
  for (uint32_t i = 0; i < count; ++i) {
    cuda_result result = session->gpu->driver->cuMemAlloc_v2(&(*addresses)[i], tensors[i].size_bytes ? tensors[i].size_bytes : 1);
    if (result != 0) {
      free_tensors(session->gpu->driver, *addresses, count);
      *addresses = NULL;
      return cameo_gpu_fail_driver(session->gpu->driver, tensors[i].name, result);
    }
  }
  return CAMEO_OK;
}

static cameo_status run(cameo_gpu_session *session, const void *const *inputs, void *const *outputs) {
  const gpu_driver *driver = session->gpu->driver;
  const cameo_model_description *description = session->gpu->model->description;
  cameo_status status = allocate(session, description->inputs, description->input_count, &session->inputs);
  if (status == CAMEO_OK)
    status = allocate(session, description->outputs, description->output_count, &session->outputs);
  if (status != CAMEO_OK)
    return status;
  cuda_result result = 0;
  for (uint32_t i = 0; i < description->input_count && result == 0; ++i)
    if (description->inputs[i].size_bytes > 0)
      result = driver->cuMemcpyHtoDAsync_v2(session->inputs[i], inputs[i], description->inputs[i].size_bytes, session->stream);
  if (result != 0)
    return cameo_gpu_fail_driver(driver, "copying the inputs", result);
  status = enqueue_steps(session, session->inputs, session->outputs, session->stream);
  if (status != CAMEO_OK)
    return status;
  for (uint32_t i = 0; i < description->output_count && result == 0; ++i)
    if (description->outputs[i].size_bytes > 0)
      result = driver->cuMemcpyDtoHAsync_v2(outputs[i], session->outputs[i], description->outputs[i].size_bytes, session->stream);
  if (result == 0)
    result = driver->cuStreamSynchronize(session->stream);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(driver, "running", result);
}

cameo_status cameo_gpu_run(cameo_gpu_session *session, const void *const *inputs, void *const *outputs) {
  cameo_status status = begin_run(session, inputs, outputs);
  if (status != CAMEO_OK)
    return status;
  status = run(session, inputs, outputs);
  cameo_gpu_leave(session->gpu);
  return status;
}
