// An image with code for the host, which replaces code for a GPU.
#ifndef CAMEO_UTILS_GPU_EMULATOR_IMAGE_H
#define CAMEO_UTILS_GPU_EMULATOR_IMAGE_H

#include "Resident.h"

#include <memory>
#include <string>

namespace emulator {

class Image {
public:
  /// Loads the shared library that begins at `bytes`. Returns null and sets `reason` if it was not made by `cameo
  /// compile --gpu-code=host`.
  static std::unique_ptr<Image> open(const void *bytes, std::string &reason);
  ~Image();

  /// Returns null if there is no kernel of that name.
  Kernel find(const char *name) const;
  const ImageVariables &variables() const { return found; }
  /// The same for kernels that report their accesses.
  Kernel findChecked(const std::string &name) const {
    return found.access ? find((name + ".checked").c_str()) : nullptr;
  }
  /// Returns the number of bytes of each argument of a kernel, and a final zero; null if the image does not have this
  /// table.
  const int32_t *argumentBytes(const std::string &name) const;
  /// Returns the bytes of shared memory that a launch of a kernel must ask for.
  unsigned dynamicBytes(const std::string &name) const;
  /// Returns the blocks of a cluster of a kernel; 1: it has none.
  int32_t clusterBlocks(const std::string &name) const;
  SharedMemory sharedMemory() const { return shared; }
  /// Fills the shared memory of blocks with NaN.
  void poisonSharedMemory() const;

private:
  Image() = default;
  void findSharedMemory(const char *bytes);
  int file = -1;
  void *library = nullptr;
  ImageVariables found;
  SharedMemory shared; ///< shared memory of all kernels
};

} // namespace emulator

#endif
