/* External weights: one read-only, shared mapping, so that processes with the same model share its pages. */
#define _POSIX_C_SOURCE 200809L
#include "cameo/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(cameo_weights_header) == CAMEO_ALIGNMENT, "the weights behind the header must stay aligned");

static cameo_status check_header(const cameo_weights_header *header, const cameo_model_description *model) {
  if (memcmp(header->magic, CAMEO_WEIGHTS_MAGIC, sizeof header->magic) != 0 ||
      header->weights_bytes != model->weights_bytes || header->hash != model->external_weights_hash)
    return CAMEO_WEIGHTS_MISMATCH;
  return header->abi_version == CAMEO_ABI_VERSION ? CAMEO_OK : CAMEO_ABI_MISMATCH;
}

/* Maps `bytes` of the open file and checks that they are the weights of `model`. */
static cameo_status map_file(int file, uint64_t bytes, const cameo_model_description *model, cameo_weights *weights) {
  if (bytes < sizeof(cameo_weights_header) || bytes - sizeof(cameo_weights_header) < model->weights_bytes ||
      bytes > SIZE_MAX)
    return CAMEO_WEIGHTS_MISMATCH;
  void *mapping = mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, file, 0);
  if (mapping == MAP_FAILED)
    return CAMEO_IO_ERROR;
  cameo_status status = check_header(mapping, model);
  if (status != CAMEO_OK) {
    munmap(mapping, (size_t)bytes);
    return status;
  }
  weights->base = (const char *)mapping + sizeof(cameo_weights_header);
  weights->mapping = mapping;
  weights->mapping_bytes = (size_t)bytes;
  return CAMEO_OK;
}

cameo_status cameo_weights_map(const char *path, const cameo_model_description *model, cameo_weights *weights) {
  if (weights)
    *weights = (cameo_weights){0};
  if (!model || !weights)
    return CAMEO_INVALID_ARGUMENT;
  if (model->external_weights_hash == 0)
    return CAMEO_OK;
  if (!path)
    return CAMEO_INVALID_ARGUMENT;
  /* O_NONBLOCK: opening a FIFO, which is no weights file, must not block. */
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return CAMEO_IO_ERROR;
  struct stat info;
  cameo_status status = CAMEO_IO_ERROR;
  if (fstat(file, &info) == 0)
    status = map_file(file, (uint64_t)info.st_size, model, weights);
  int error = errno;
  close(file); /* the mapping stays valid */
  errno = error;
  return status;
}

void cameo_weights_unmap(cameo_weights *weights) {
  if (!weights)
    return;
  if (weights->mapping)
    munmap(weights->mapping, weights->mapping_bytes);
  *weights = (cameo_weights){0};
}
