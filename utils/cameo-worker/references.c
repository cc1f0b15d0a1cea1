#include "references.h"

#include <sys/stat.h>
#include <unistd.h>

enum { most = 256 };
static const int64_t most_bytes = (int64_t)1 << 30;

static struct {
  uint64_t id;
  int file;
  int64_t bytes;
} kept[most];
static int count;

int find_reference(uint64_t id) {
  for (int i = 0; i < count; ++i)
    if (kept[i].id == id)
      return kept[i].file;
  return -1;
}

static void drop_oldest(void) {
  close(kept[0].file);
  --count;
  for (int i = 0; i < count; ++i)
    kept[i] = kept[i + 1];
}

void keep_reference(uint64_t id, int file) {
  struct stat status;
  int64_t bytes = fstat(file, &status) == 0 ? (int64_t)status.st_size : 0, all = bytes;
  for (int i = 0; i < count; ++i)
    all += kept[i].bytes;
  for (; count > 0 && (count == most || all > most_bytes); drop_oldest())
    all -= kept[0].bytes;
  kept[count].id = id;
  kept[count].file = file;
  kept[count++].bytes = bytes;
}
