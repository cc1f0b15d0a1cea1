/* Loads a model onto a device: its code and weights. */
#include "gpu_driver.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  MULTIPROCESSOR_COUNT = 16,
  CAPABILITY_MAJOR = 75,
  CAPABILITY_MINOR = 76,
  COOPERATIVE_LAUNCH = 95,
  MOST_DYNAMIC_SHARED_BYTES = 8, /* of a function */
  JIT_ERROR_LOG = 5,
  JIT_ERROR_LOG_BYTES = 6
};

/* Returns whether a device of compute capability `device` supports `image`. Machine code runs on devices of the same
 * major version and the same or a later minor version, PTX on all later devices. */
static int may_fit(const cameo_gpu_image *image, uint32_t device) {
  if (image->kind == CAMEO_GPU_HOST)
    return 1;
  if (image->is_specific)
    return image->capability == device;
  return image->capability <= device && (image->kind == CAMEO_GPU_PTX || image->capability / 10 == device / 10);
}

/* Machine code is better than PTX; of the same kind, the image for the higher capability is better. */
static int is_better(const cameo_gpu_image *image, const cameo_gpu_image *other) {
  if (image->kind != other->kind)
    return image->kind < other->kind;
  return image->capability + image->is_specific > other->capability + other->is_specific;
}

/* Returns the best image for a device that is worse than `before`, which the driver rejected. `before` is null at
 * first. */
static const cameo_gpu_image *next_image(const cameo_gpu_model *model, uint32_t device, const cameo_gpu_image *before) {
  const cameo_gpu_image *best = NULL;
  for (const cameo_gpu_image *image = model->images; image != model->images + model->image_count; ++image)
    if (may_fit(image, device) && (!before || is_better(before, image)) && (!best || is_better(image, best)))
      best = image;
  return best;
}

/* Returns whether the driver takes launches that begin before earlier ones have ended, also while a stream is captured
 * into a graph, which CUDA 12.3 has introduced. */
static int takes_dependent_launches(const gpu_driver *driver) {
  enum { FIRST_VERSION = 12030 };
  int version = 0;
  return driver->cuLaunchKernelEx && driver->cuDriverGetVersion(&version) == 0 && version >= FIRST_VERSION;
}

/* Loads the best image for the device that the driver accepts. */
static cameo_status load_module(cameo_gpu *gpu) {
  const gpu_driver *driver = gpu->driver;
  const cameo_gpu_model *model = gpu->model;
  int major = 0, minor = 0;
  driver->cuDeviceGetAttribute(&major, CAPABILITY_MAJOR, gpu->device);
  driver->cuDeviceGetAttribute(&minor, CAPABILITY_MINOR, gpu->device);
  char log[512] = "", name[128] = "", why[640] = "";
  cameo_status status = CAMEO_NO_GPU;
  for (const cameo_gpu_image *image = NULL;
       (image = next_image(model, (uint32_t)(10 * major + minor), image)) != NULL;) {
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    cuda_result result =
        driver->cuModuleLoadDataEx(&gpu->module, image->code, image->kind == CAMEO_GPU_PTX ? 2 : 0, options, values);
    if (result == 0) {
      gpu->dependent_launch = image->dependent_launch && takes_dependent_launches(driver);
      return CAMEO_OK;
    }
    if (result == CUDA_OUT_OF_MEMORY)
      status = CAMEO_OUT_OF_MEMORY;
    const char *text = NULL;
    if (driver->cuGetErrorString(result, &text) != 0 || !text)
      text = "unknown error";
    snprintf(why, sizeof why, ": error %d: %s %s", result, text, log);
  }
  driver->cuDeviceGetName(name, sizeof name, gpu->device);
  return cameo_gpu_fail(status,
                        "the model is compiled for %s, which device %d (%s, compute capability %d.%d) cannot run%s",
                        model->architectures, gpu->device, name, major, minor, why);
}

static cameo_status find_functions(cameo_gpu *gpu) {
  const cameo_gpu_model *model = gpu->model;
  gpu->functions = calloc(model->kernel_count ? model->kernel_count : 1, sizeof *gpu->functions);
  if (!gpu->functions)
    return cameo_gpu_fail(CAMEO_OUT_OF_MEMORY, "out of memory");
  for (uint32_t i = 0; i < model->kernel_count; ++i) {
    cuda_result result = gpu->driver->cuModuleGetFunction(&gpu->functions[i], gpu->module, model->kernels[i].name);
    if (result != 0)
      return cameo_gpu_fail_driver(gpu->driver, model->kernels[i].name, result);
    uint32_t bytes = model->kernels[i].dynamic_shared_bytes;
    if (bytes > 0)
      result = gpu->driver->cuFuncSetAttribute(gpu->functions[i], MOST_DYNAMIC_SHARED_BYTES, (int)bytes);
    if (result != 0) {
      char what[192];
      snprintf(what, sizeof what, "%s, whose blocks have %u bytes of shared memory", model->kernels[i].name, bytes);
      return cameo_gpu_fail_driver(gpu->driver, what, result);
    }
  }
  return CAMEO_OK;
}

/* Computes the number of blocks of `kernel` that can be resident on the device at once, because the blocks of a
 * persistent kernel wait for each other. */
static cameo_status count_resident_blocks(cameo_gpu *gpu, uint32_t kernel) {
  const gpu_driver *driver = gpu->driver;
  int multiprocessors = 0, takes = 0, blocks = 0;
  cuda_result result = driver->cuDeviceGetAttribute(&takes, COOPERATIVE_LAUNCH, gpu->device);
  if (result == 0)
    result = driver->cuDeviceGetAttribute(&multiprocessors, MULTIPROCESSOR_COUNT, gpu->device);
  if (result == 0)
    result = driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, gpu->functions[kernel],
                                                                 (int)gpu->model->kernels[kernel].threads,
                                                                 gpu->model->kernels[kernel].dynamic_shared_bytes);
  if (result != 0)
    return cameo_gpu_fail_driver(driver, "computing the occupancy of a persistent kernel", result);
  if (!takes || blocks <= 0 || multiprocessors <= 0)
    return cameo_gpu_fail(CAMEO_NO_GPU, "the model runs as one persistent kernel, which the device cannot launch: "
                                        "compile it with --gpu-launch=dispatch");
  gpu->resident_blocks = (unsigned)multiprocessors * (unsigned)blocks;
  return CAMEO_OK;
}

static cameo_status find_persistent(cameo_gpu *gpu) {
  const cameo_gpu_model *model = gpu->model;
  for (uint32_t i = 0; i < model->step_count; ++i)
    if (model->steps[i].kind == CAMEO_GPU_PERSISTENT)
      return count_resident_blocks(gpu, model->steps[i].kernel);
  return CAMEO_OK;
}

/* Copies `bytes` bytes, named `what` in errors, to new memory of the device. */
static cameo_status upload(const cameo_gpu *gpu, const char *what, const void *from, uint64_t bytes,
                           device_address *to) {
  if (bytes == 0)
    return CAMEO_OK;
  cuda_result result = gpu->driver->cuMemAlloc_v2(to, bytes);
  if (result == 0)
    result = gpu->driver->cuMemcpyHtoD_v2(*to, from, bytes);
  /* The copy may return before it is complete, and the streams of sessions do not wait for it. */
  if (result == 0)
    result = gpu->driver->cuStreamSynchronize(NULL);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(gpu->driver, what, result);
}

static cameo_status upload_constants(cameo_gpu *gpu, const void *weights) {
  const cameo_gpu_model *model = gpu->model;
  if (model->weights_bytes > 0 && !weights)
    return cameo_gpu_fail(CAMEO_WEIGHTS_MISMATCH, "expected the weights of the model, which are in a separate file");
  gpu->host_weights = weights;
  cameo_status status = upload(gpu, "uploading the weights", weights, model->weights_bytes, &gpu->weights);
  if (status == CAMEO_OK)
    status =
        upload(gpu, "uploading the strings", model->texts, model->text_count * sizeof *model->texts, &gpu->strings);
  return status;
}

cameo_status cameo_gpu_load(const cameo_gpu_model *model, int32_t device, const void *external_weights,
                            cameo_gpu **gpu) {
  if (!gpu)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected a pointer for the loaded model, got NULL");
  *gpu = NULL;
  if (!model)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected a model, got NULL");
  if (model->abi_version != CAMEO_GPU_ABI_VERSION || model->struct_bytes != sizeof *model)
    return cameo_gpu_fail(CAMEO_ABI_MISMATCH, "the model and the runtime have different ABI versions");
  const gpu_driver *driver = cameo_gpu_driver();
  if (!driver)
    return CAMEO_NO_GPU;
  cameo_gpu *made = calloc(1, sizeof *made);
  if (!made)
    return cameo_gpu_fail(CAMEO_OUT_OF_MEMORY, "out of memory");
  made->driver = driver;
  made->model = model;
  cuda_result result = driver->cuDeviceGet(&made->device, device);
  if (result != 0) {
    free(made);
    return cameo_gpu_fail_driver(driver, "finding the device", result);
  }
  result = driver->cuDevicePrimaryCtxRetain(&made->context, made->device);
  if (result != 0) {
    free(made);
    return cameo_gpu_fail_driver(driver, "starting the device", result);
  }
  cameo_status status = cameo_gpu_enter(made);
  if (status == CAMEO_OK) {
    status = load_module(made);
    if (status == CAMEO_OK)
      status = find_functions(made);
    if (status == CAMEO_OK)
      status = find_persistent(made);
    if (status == CAMEO_OK)
      status = upload_constants(made, model->description->external_weights_hash ? external_weights : model->weights);
    cameo_gpu_leave(made);
  }
  if (status != CAMEO_OK) {
    cameo_gpu_unload(made);
    return status;
  }
  *gpu = made;
  return CAMEO_OK;
}

void cameo_gpu_unload(cameo_gpu *gpu) {
  if (!gpu)
    return;
  if (cameo_gpu_enter(gpu) == CAMEO_OK) {
    if (gpu->weights)
      gpu->driver->cuMemFree_v2(gpu->weights);
    if (gpu->strings)
      gpu->driver->cuMemFree_v2(gpu->strings);
    if (gpu->module)
      gpu->driver->cuModuleUnload(gpu->module);
    cameo_gpu_leave(gpu);
  }
  gpu->driver->cuDevicePrimaryCtxRelease_v2(gpu->device);
  free(gpu->functions);
  free(gpu);
}
