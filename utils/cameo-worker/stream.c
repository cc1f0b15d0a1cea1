#include "stream.h"

#include <errno.h>
#include <unistd.h>

bool read_all(int descriptor, void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t got = read(descriptor, (char *)bytes + done, count - done);
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    done += got > 0 ? (size_t)got : 0;
  }
  return true;
}

bool write_all(int descriptor, const void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t put = write(descriptor, (const char *)bytes + done, count - done);
    if (put < 0 && errno != EINTR)
      return false;
    done += put > 0 ? (size_t)put : 0;
  }
  return true;
}
