// Code for the host that stands in the place of a GPU's.
#ifndef CAMEO_UTILS_GPU_EMULATOR_IMAGE_H
#define CAMEO_UTILS_GPU_EMULATOR_IMAGE_H

#include "Resident.h"

#include <memory>
#include <string>

namespace emulator {

class Image {
public:
  /// The shared library whose bytes begin at `bytes`; null, with `reason`, where they are none that `cameo compile
  /// --gpu-code=host` made.
  static std::unique_ptr<Image> open(const void *bytes, std::string &reason);
  ~Image();

  /// Null where it has none of that name.
  Kernel find(const char *name) const;
  const ImageVariables &variables() const { return found; }
  /// The same, of kernels that tell of their accesses.
  Kernel findChecked(const std::string &name) const {
    return found.access ? find((name + ".checked").c_str()) : nullptr;
  }
  /// How many bytes the arguments of a kernel have, and a zero; null where the image does not say.
  const int32_t *argumentBytes(const std::string &name) const;
  SharedMemory sharedMemory() const { return shared; }
  /// Fills the shared memory of blocks with NaN.
  void poisonSharedMemory() const;

private:
  Image() = default;
  void findSharedMemory(const char *bytes);
  int file = -1;
  void *library = nullptr;
  ImageVariables found;
  SharedMemory shared; ///< of all kernels
};

} // namespace emulator

#endif
