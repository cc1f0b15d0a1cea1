/* Executes the steps of a run: launches, copies, and decisions of the host on data from the device. */
#include "gpu_session.h"

#include "cameo/runtime.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static device_address address_of(const cameo_gpu_session *session, const cameo_gpu_buffer *buffer) {
  switch (buffer->base) {
  case CAMEO_GPU_INPUT:
    return session->tensors[buffer->index] + buffer->offset;
  case CAMEO_GPU_OUTPUT:
    return session->tensors[session->gpu->model->description->input_count + buffer->index] + buffer->offset;
  case CAMEO_GPU_WORKSPACE:
    return session->workspace + buffer->offset;
  case CAMEO_GPU_SLOT:
    return session->workspace + (uint64_t)session->numbers[buffer->index] + buffer->offset;
  case CAMEO_GPU_COUNTERS:
    return session->counters + buffer->offset;
  case CAMEO_GPU_TEXTS:
    return session->gpu->strings + buffer->offset;
  default:
    return session->gpu->weights + buffer->offset;
  }
}

/* Returns a count or size of the model's tables. */
static uint64_t number_of(const cameo_gpu_session *session, uint64_t count) {
  return count & CAMEO_GPU_COUNTED ? (uint64_t)session->numbers[count & ~CAMEO_GPU_COUNTED] : count;
}

static uint64_t count_of(const cameo_gpu_session *session, const cameo_gpu_step *step) {
  return number_of(session, step->count);
}

/* Launches a kernel that waits by itself for the launches before it, and may begin before they have ended. */
static cuda_result launch_early(const gpu_driver *driver, void *function, launch_config config, void **arguments) {
  enum { PROGRAMMATIC_STREAM_SERIALIZATION = 6 };
  const launch_attribute early = {.id = PROGRAMMATIC_STREAM_SERIALIZATION, .value = {1}};
  config.attributes = &early;
  config.attribute_count = 1;
  return driver->cuLaunchKernelEx(&config, function, arguments, NULL);
}

/* Only a launch behind another one of the same run may begin early. Everything else that a stream has is complete
 * before, also kernels of the caller and of other models. */
static cuda_result launch(cameo_gpu_session *session, const cameo_gpu_step *step, uint64_t count, void *stream) {
  const cameo_gpu *gpu = session->gpu;
  for (uint32_t i = 0; i < step->buffer_count; ++i) {
    const cameo_gpu_buffer *buffer = &gpu->model->buffers[step->first_buffer + i];
    int is_sizes = buffer->base == CAMEO_GPU_SIZES;
    session->addresses[i] = is_sizes ? 0 : address_of(session, buffer);
    session->arguments[i] =
        is_sizes ? (void *)&session->numbers[gpu->model->first_size] : (void *)&session->addresses[i];
  }
  const cameo_gpu_kernel *kernel = &gpu->model->kernels[step->kernel];
  int is_early = session->is_behind_launch && gpu->dependent_launch;
  session->is_behind_launch = 1;
  if (is_early) {
    const launch_config config = {(unsigned)count, 1,    1, kernel->threads, 1, 1, kernel->dynamic_shared_bytes,
                                  stream,          NULL, 0};
    return launch_early(gpu->driver, gpu->functions[step->kernel], config, session->arguments);
  }
  return gpu->driver->cuLaunchKernel(gpu->functions[step->kernel], (unsigned)count, 1, 1, kernel->threads, 1, 1,
                                     kernel->dynamic_shared_bytes, stream, session->arguments, NULL);
}

static cuda_result launch_persistent(cameo_gpu_session *session, const cameo_gpu_step *step, void *stream) {
  const cameo_gpu *gpu = session->gpu;
  for (uint32_t i = 0; i < step->buffer_count; ++i)
    session->addresses[i] = address_of(session, &gpu->model->buffers[step->first_buffer + i]);
  session->arguments[0] = session->addresses;
  session->arguments[1] = &session->numbers[gpu->model->first_size];
  const cameo_gpu_kernel *kernel = &gpu->model->kernels[step->kernel];
  return gpu->driver->cuLaunchCooperativeKernel(gpu->functions[step->kernel], gpu->resident_blocks, 1, 1,
                                                kernel->threads, 1, 1, kernel->dynamic_shared_bytes, stream,
                                                session->arguments);
}

static device_address address_in(const cameo_gpu_session *session, const cameo_gpu_step *step, uint32_t number) {
  return address_of(session, &session->gpu->model->buffers[step->first_buffer + number]);
}

static cuda_result copy(cameo_gpu_session *session, const cameo_gpu_step *step, uint64_t count, void *stream) {
  device_address to = address_in(session, step, 1);
  if (step->target != CAMEO_GPU_NOWHERE)
    to += count * (uint64_t)session->iterations[step->target];
  /* An output may be in the memory of an input. */
  device_address from = address_in(session, step, 0);
  return to == from ? 0 : session->gpu->driver->cuMemcpyDtoDAsync_v2(to, from, count, stream);
}

/* Waits for the stream and reads `bytes` bytes that it has computed. */
static cuda_result read_computed(const cameo_gpu_session *session, void *to, device_address from, size_t bytes,
                                 void *stream) {
  const gpu_driver *driver = session->gpu->driver;
  cuda_result result = driver->cuMemcpyDtoHAsync_v2(to, from, bytes, stream);
  return result == 0 ? driver->cuStreamSynchronize(stream) : result;
}

/* Reads the data that a step depends on: at most one number, and booleans. Stores whether all booleans are as wanted.
 * Those of outer branches come first. What follows one that is not as wanted has not been computed, and is not read. */
static cameo_status wait_for(cameo_gpu_session *session, const cameo_gpu_step *step, uint32_t first_flag,
                             int64_t *number, void *stream, int *are_wanted) {
  cuda_result result = 0;
  *are_wanted = 1;
  for (uint32_t i = first_flag; i < step->buffer_count && result == 0 && *are_wanted; ++i) {
    unsigned char flag = 0;
    result = read_computed(session, &flag, address_in(session, step, i), 1, stream);
    *are_wanted = (flag != 0) == (step->wanted >> (i - first_flag) & 1);
  }
  if (number && result == 0 && *are_wanted)
    result = read_computed(session, number, address_in(session, step, first_flag - 1), sizeof *number, stream);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(session->gpu->driver, "waiting for a computed value", result);
}

static cameo_status refuse_more(uint64_t most) {
  return cameo_gpu_fail(CAMEO_BOUND_EXCEEDED, "a computed size or number of iterations exceeds its bound of %llu",
                        (unsigned long long)most);
}

static cameo_status bind(cameo_gpu_session *session, const cameo_gpu_step *step, void *stream) {
  int64_t value = 0;
  int is_there = 0;
  cameo_status status = wait_for(session, step, 1, &value, stream, &is_there);
  if (status != CAMEO_OK)
    return status;
  uint64_t most = count_of(session, step);
  if (is_there && value >= 0 && (uint64_t)value > most)
    return refuse_more(most);
  session->found[step->target] = is_there ? value : -1;
  if ((is_there && value < 0) ||
      session->gpu->model->numbers(session->symbols, session->found, session->numbers) != CAMEO_OK)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "the model does not accept the computed size %lld", (long long)value);
  return CAMEO_OK;
}

/* Copies the number of the next iteration to the device, waits for the values that decide whether it is executed, and
 * stores the next step in `*next`. */
static cameo_status begin_iteration(cameo_gpu_session *session, uint32_t number, void *stream, uint32_t *next) {
  enum { HAS_TRIP_COUNT = 1, HAS_CONDITION = 2 };
  const cameo_gpu_step *step = &session->gpu->model->steps[number];
  const gpu_driver *driver = session->gpu->driver;
  int64_t iteration = session->iterations[number], trip_count = INT64_MAX;
  unsigned char should_continue = 1;
  cuda_result result = driver->cuMemcpyHtoDAsync_v2(address_in(session, step, 0), &session->iterations[number],
                                                    sizeof iteration, stream);
  if (result == 0 && step->wanted & HAS_TRIP_COUNT)
    result = driver->cuMemcpyDtoHAsync_v2(&trip_count, address_in(session, step, 1), sizeof trip_count, stream);
  if (result == 0 && step->wanted & HAS_CONDITION)
    result =
        driver->cuMemcpyDtoHAsync_v2(&should_continue, address_in(session, step, step->buffer_count - 1), 1, stream);
  if (result == 0)
    result = driver->cuStreamSynchronize(stream);
  if (result != 0)
    return cameo_gpu_fail_driver(driver, "waiting for a computed value", result);
  int is_begun = iteration < trip_count && should_continue;
  uint64_t max_trip_count = count_of(session, step);
  if (is_begun && (uint64_t)iteration >= max_trip_count)
    return refuse_more(max_trip_count);
  *next = is_begun ? number + 1 : step->target;
  return CAMEO_OK;
}

/* Returns the host's address of a buffer that is not copied for a host kernel; null for the others. */
static void *fixed_address(cameo_gpu_session *session, const cameo_gpu_buffer *buffer) {
  const cameo_gpu_model *model = session->gpu->model;
  switch (buffer->base) {
  case CAMEO_GPU_WEIGHTS:
    return (void *)(uintptr_t)(session->gpu->host_weights + buffer->offset);
  case CAMEO_GPU_TEXTS:
    return (void *)(uintptr_t)((const char *)model->texts + buffer->offset);
  case CAMEO_GPU_SIZES:
    return &session->numbers[model->first_size];
  case CAMEO_GPU_TEXT_AREA:
    return session->text_area;
  default:
    return NULL;
  }
}

/* Returns the room that an operand of a host kernel takes. Kernels may read an element of an empty one. */
static uint64_t room_of(const cameo_gpu_session *session, const cameo_gpu_operand *operand) {
  return number_of(session, operand->bytes) / CAMEO_ALIGNMENT * CAMEO_ALIGNMENT + CAMEO_ALIGNMENT;
}

/* Sets the arguments of a host kernel to places in the memory of the host, one after the other. */
static cameo_status place_operands(cameo_gpu_session *session, const cameo_gpu_step *step) {
  const cameo_gpu_model *model = session->gpu->model;
  const cameo_gpu_operand *operands = &model->operands[step->target];
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < step->buffer_count; ++i)
    bytes += room_of(session, &operands[i]);
  if (bytes > session->call_memory_bytes) {
    free(session->call_memory);
    session->call_memory = aligned_alloc(CAMEO_ALIGNMENT, bytes);
    session->call_memory_bytes = session->call_memory ? bytes : 0;
    if (!session->call_memory)
      return cameo_gpu_fail(CAMEO_OUT_OF_MEMORY, "out of memory");
    memset(session->call_memory, 0, bytes);
  }
  char *next = session->call_memory;
  for (uint32_t i = 0; i < step->buffer_count; ++i) {
    void *fixed = fixed_address(session, &model->buffers[step->first_buffer + i]);
    session->arguments[i] = fixed ? fixed : next;
    next += room_of(session, &operands[i]);
  }
  return CAMEO_OK;
}

/* Copies the operands of a host kernel with this access: from the device before it, to the device after it. Waits for
 * the stream, also so that the next call may use the memory. */
static cuda_result copy_operands(cameo_gpu_session *session, const cameo_gpu_step *step, uint32_t access,
                                 void *stream) {
  const gpu_driver *driver = session->gpu->driver;
  const cameo_gpu_model *model = session->gpu->model;
  cuda_result result = 0;
  for (uint32_t i = 0; i < step->buffer_count && result == 0; ++i) {
    const cameo_gpu_operand *operand = &model->operands[step->target + i];
    uint64_t bytes = number_of(session, operand->bytes);
    if (!(operand->access & access) || bytes == 0 || fixed_address(session, &model->buffers[step->first_buffer + i]))
      continue;
    result = access == CAMEO_GPU_READ
                 ? driver->cuMemcpyDtoHAsync_v2(session->arguments[i], address_in(session, step, i), bytes, stream)
                 : driver->cuMemcpyHtoDAsync_v2(address_in(session, step, i), session->arguments[i], bytes, stream);
  }
  return result == 0 ? driver->cuStreamSynchronize(stream) : result;
}

static cameo_status call(cameo_gpu_session *session, const cameo_gpu_step *step, void *stream) {
  uint64_t count = count_of(session, step);
  if (count == 0)
    return CAMEO_OK;
  cameo_status status = place_operands(session, step);
  if (status != CAMEO_OK)
    return status;
  const cameo_gpu_host_kernel *kernel = &session->gpu->model->host_kernels[step->kernel];
  cuda_result result = copy_operands(session, step, CAMEO_GPU_READ, stream);
  if (result == 0) {
    status = kernel->run(session->arguments, (int64_t)count, session->numbers);
    if (status != CAMEO_OK)
      return cameo_gpu_fail(status, "%s: %s", kernel->name, cameo_status_message(status));
    result = copy_operands(session, step, CAMEO_GPU_WRITTEN, stream);
  }
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(session->gpu->driver, kernel->name, result);
}

static cameo_status enqueue_work(cameo_gpu_session *session, const cameo_gpu_step *step, void *stream) {
  const cameo_gpu_model *model = session->gpu->model;
  if (step->kind == CAMEO_GPU_PERSISTENT) {
    cuda_result result = launch_persistent(session, step, stream);
    return result == 0 ? CAMEO_OK
                       : cameo_gpu_fail_driver(session->gpu->driver, model->kernels[step->kernel].name, result);
  }
  uint64_t count = count_of(session, step);
  int is_copy = step->kind == CAMEO_GPU_COPY;
  session->is_behind_launch &= !is_copy;
  if (!is_copy && count > INT_MAX)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "%s: expected at most 2^31 - 1 blocks for these sizes",
                          model->kernels[step->kernel].name);
  cuda_result result = count == 0 ? 0
                       : is_copy  ? copy(session, step, count, stream)
                                  : launch(session, step, count, stream);
  if (result != 0)
    return cameo_gpu_fail_driver(session->gpu->driver, is_copy ? "copying" : model->kernels[step->kernel].name, result);
  return CAMEO_OK;
}

cameo_status cameo_gpu_enqueue_step(cameo_gpu_session *session, uint32_t number, void *stream, uint32_t *next) {
  const cameo_gpu_step *step = &session->gpu->model->steps[number];
  int are_wanted = 0;
  cameo_status status = CAMEO_OK;
  *next = number + 1;
  session->is_behind_launch &= step->kind <= CAMEO_GPU_COPY;
  switch (step->kind) {
  case CAMEO_GPU_CALL:
    return call(session, step, stream);
  case CAMEO_GPU_BIND:
    return bind(session, step, stream);
  case CAMEO_GPU_IF:
    status = wait_for(session, step, 0, NULL, stream, &are_wanted);
    if (!are_wanted)
      *next = step->target;
    return status;
  case CAMEO_GPU_REPEAT:
    session->iterations[number] = 0;
    return begin_iteration(session, number, stream, next);
  case CAMEO_GPU_NEXT:
    ++session->iterations[step->target];
    return begin_iteration(session, step->target, stream, next);
  default:
    return enqueue_work(session, step, stream);
  }
}

void cameo_gpu_begin_steps(cameo_gpu_session *session) {
  session->is_behind_launch = 0;
  if (session->text_area)
    session->text_area->used = 0;
}

cameo_status cameo_gpu_enqueue_steps(cameo_gpu_session *session, void *stream) {
  cameo_status status = CAMEO_OK;
  cameo_gpu_begin_steps(session);
  for (uint32_t i = 0; i < session->gpu->model->step_count && status == CAMEO_OK;)
    status = cameo_gpu_enqueue_step(session, i, stream, &i);
  const cameo_text_area *area = session->text_area;
  if (status == CAMEO_OK && area && area->used > area->capacity)
    return cameo_gpu_fail(CAMEO_TEXT_AREA_FULL, "expected %llu bytes of memory for strings, got %llu",
                          (unsigned long long)area->used, (unsigned long long)area->capacity);
  return status;
}

int cameo_gpu_waits(const cameo_gpu_model *model) {
  for (uint32_t i = 0; i < model->step_count; ++i)
    if (model->steps[i].kind > CAMEO_GPU_PERSISTENT)
      return 1;
  return 0;
}

void cameo_gpu_take_shapes(cameo_gpu_session *session, void *const *outputs) {
  const cameo_model_description *description = session->gpu->model->description;
  const int64_t *dimension = session->numbers + session->gpu->model->first_dimension;
  void *const *shape = outputs ? outputs + description->output_count : NULL;
  for (uint32_t i = 0; i < description->output_count; ++i) {
    const cameo_tensor_description *output = &description->outputs[i];
    if (!cameo_tensor_is_data_sized(description, output))
      continue;
    uint64_t elements = 1;
    for (int32_t axis = 0; axis < output->rank; ++axis) {
      elements *= (uint64_t)dimension[axis];
      if (shape && *shape)
        ((int64_t *)*shape)[axis] = dimension[axis];
    }
    session->tensor_bytes[description->input_count + i] = elements * cameo_element_bytes(output->element_type);
    dimension += output->rank;
    shape += shape != NULL;
  }
}
