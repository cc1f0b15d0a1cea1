#include "package.h"

#include "cameo/runtime.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { blob_alignment = 64 };

const char *check_header(const cameo_package *header) {
  if (header->magic != CAMEO_PACKAGE_MAGIC)
    return "expected a measurement package";
  if (header->version != CAMEO_PACKAGE_VERSION)
    return "expected a measurement package of this version";
  if (header->bytes < sizeof(*header) || header->bytes > SIZE_MAX / 2)
    return "expected a package of a valid size";
  uint64_t tables = header->blob_count * (uint64_t)sizeof(cameo_package_blob) +
                    header->item_count * (uint64_t)sizeof(cameo_package_item);
  return tables > header->bytes - sizeof(*header) ? "expected the tables within the package" : NULL;
}

static bool is_blob(const package *self, uint32_t number, bool may_be_none) {
  return number < self->header->blob_count || (may_be_none && number == CAMEO_PACKAGE_NO_BLOB);
}

/* False for NaN, too. */
static bool is_time(double seconds) { return seconds >= 0 && seconds <= 1e7; }

static bool has_possible_numbers(const cameo_package_item *item) {
  return item->kind <= CAMEO_PACKAGE_CONFIRM_IF_BEST && item->repeats > 0 &&
         item->repeats <= CAMEO_PACKAGE_MAX_REPEATS && item->threads > 0 && item->threads <= CAMEO_MAX_THREADS &&
         item->disturbed_retries <= CAMEO_PACKAGE_MAX_RETRIES && is_time(item->min_repeat_seconds) &&
         is_time(item->best_seconds) && is_time(item->timeout_seconds) && is_time(item->reference_timeout_seconds) &&
         is_time(item->cool_down_seconds);
}

static const char *check_item(const package *self, uint32_t number) {
  const cameo_package_item *item = &self->items[number];
  bool is_compared = item->kind != CAMEO_PACKAGE_TIME;
  if (!has_possible_numbers(item))
    return "expected an item with valid numbers";
  if (!is_blob(self, item->image, false) || !is_blob(self, item->rival, true) ||
      !is_blob(self, item->reference, true) || !is_blob(self, item->inputs, !is_compared) ||
      !is_blob(self, item->weights, true) || !is_blob(self, item->reference_weights, true))
    return "expected references to blobs of the package";
  if (item->kind >= CAMEO_PACKAGE_CONFIRM_DEFAULT &&
      (item->brief >= number || self->items[item->brief].kind != CAMEO_PACKAGE_TIME))
    return "expected a reference to an earlier timed item";
  return NULL;
}

const char *open_package(package *self, const void *at, uint64_t count) {
  self->header = at;
  const char *wrong = count < sizeof(cameo_package) ? "expected a measurement package" : check_header(self->header);
  if (wrong)
    return wrong;
  if (self->header->bytes != count || cameo_package_digest((const char *)at + CAMEO_PACKAGE_DIGESTED_FROM,
                                                           count - CAMEO_PACKAGE_DIGESTED_FROM) != self->header->digest)
    return "the package is cut off or altered";
  self->blobs = (const cameo_package_blob *)(self->header + 1);
  self->items = (const cameo_package_item *)(self->blobs + self->header->blob_count);
  for (uint32_t i = 0; i < self->header->blob_count; ++i)
    if (self->blobs[i].offset % blob_alignment != 0 || self->blobs[i].offset > count ||
        self->blobs[i].bytes > count - self->blobs[i].offset)
      return "expected blobs within the package";
  for (uint32_t i = 0; i < self->header->item_count; ++i)
    if ((wrong = check_item(self, i)) != NULL)
      return wrong;
  return NULL;
}

bytes blob_of(const package *self, uint32_t number) {
  if (number >= self->header->blob_count)
    return (bytes){NULL, 0};
  return (bytes){(const char *)self->header + self->blobs[number].offset, self->blobs[number].bytes};
}

bool find_package(int file, uint64_t *offset, uint64_t *count) {
  struct stat status;
  cameo_bundle_end end;
  uint32_t magic = 0;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  uint64_t size = (uint64_t)status.st_size;
  if (size >= sizeof(magic) && pread(file, &magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
      magic == CAMEO_PACKAGE_MAGIC) {
    *offset = 0;
    *count = size;
    return true;
  }
  if (size < sizeof(end) || pread(file, &end, sizeof(end), (off_t)(size - sizeof(end))) != (ssize_t)sizeof(end) ||
      memcmp(end.magic, CAMEO_BUNDLE_MAGIC, sizeof(end.magic)) != 0 || end.package_bytes > size - sizeof(end))
    return false;
  *offset = size - sizeof(end) - end.package_bytes;
  *count = end.package_bytes;
  return true;
}
