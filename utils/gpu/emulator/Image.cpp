#include "Image.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace emulator {

#if defined(__x86_64__)
static constexpr int hostMachine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr int hostMachine = EM_AARCH64;
#else
#error "expected an x86-64 or AArch64 processor"
#endif

std::unique_ptr<Image> Image::open(const void *bytes, std::string &reason) {
  Elf64_Ehdr header;
  if (memcmp(bytes, ELFMAG, SELFMAG) != 0) {
    reason = "the emulator runs only code for the host (--gpu-code=host), got PTX or a container of NVIDIA's";
    return nullptr;
  }
  memcpy(&header, bytes, sizeof header);
  if (header.e_machine != hostMachine) {
    reason = "the emulator runs only code for the host (--gpu-code=host), got code for a GPU";
    return nullptr;
  }
  // The section table is at the end of the file.
  size_t size = header.e_shoff + size_t(header.e_shentsize) * header.e_shnum;
  std::unique_ptr<Image> image(new Image);
  image->file = memfd_create("kernels", MFD_CLOEXEC);
  const char *rest = static_cast<const char *>(bytes);
  while (image->file >= 0 && size > 0) {
    ssize_t written = write(image->file, rest, size);
    if (written < 0)
      break;
    rest += written;
    size -= static_cast<size_t>(written);
  }
  std::string path = "/proc/self/fd/" + std::to_string(image->file);
  image->library = size == 0 ? dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!image->library) {
    reason = size == 0 ? dlerror() : "the code does not fit into memory";
    return nullptr;
  }
  image->found = {
      static_cast<volatile int32_t *>(dlsym(image->library, "cameo_emulated_thread")),
      static_cast<volatile int32_t *>(dlsym(image->library, "cameo_emulated_block")),
      static_cast<void (**)()>(dlsym(image->library, "cameo_emulated_barrier")),
      static_cast<void (**)(void *, int64_t, int32_t)>(dlsym(image->library, "cameo_emulated_access")),
      static_cast<void (**)(void *, const void *, int32_t, int32_t)>(dlsym(image->library, "cameo_emulated_copy")),
      static_cast<void (**)()>(dlsym(image->library, "cameo_emulated_commit")),
      static_cast<void (**)(int32_t)>(dlsym(image->library, "cameo_emulated_await")),
      static_cast<void (**)(const void *, int32_t, int32_t, uint32_t *)>(
          dlsym(image->library, "cameo_emulated_load_matrices")),
      static_cast<void (**)(int32_t, uint32_t *)>(dlsym(image->library, "cameo_emulated_multiply")),
      static_cast<volatile int32_t *>(dlsym(image->library, "cameo_emulated_grid")),
      static_cast<void (**)(int32_t)>(dlsym(image->library, "cameo_emulated_barrier_of")),
      static_cast<int32_t (**)(const int32_t *)>(dlsym(image->library, "cameo_emulated_acquire")),
      static_cast<int32_t (**)(int32_t *, int32_t)>(dlsym(image->library, "cameo_emulated_release")),
      static_cast<int32_t (**)(int32_t *, int32_t)>(dlsym(image->library, "cameo_emulated_arrive")),
      static_cast<void (**)()>(dlsym(image->library, "cameo_emulated_wait")),
      static_cast<decltype(ImageVariables::sharedBegin)>(dlsym(image->library, "cameo_emulated_shared_begin")),
      static_cast<decltype(ImageVariables::multiplyGroup)>(dlsym(image->library, "cameo_emulated_multiply_group")),
      static_cast<void (**)()>(dlsym(image->library, "cameo_emulated_fence_products")),
      static_cast<void (**)()>(dlsym(image->library, "cameo_emulated_commit_products")),
      static_cast<decltype(ImageVariables::awaitProducts)>(dlsym(image->library, "cameo_emulated_await_products")),
      static_cast<void (**)()>(dlsym(image->library, "cameo_emulated_publish")),
      static_cast<void (**)()>(dlsym(image->library, "cameo_emulated_meet_cluster")),
      static_cast<decltype(ImageVariables::readNeighbour)>(dlsym(image->library, "cameo_emulated_read_neighbour"))};
  image->findSharedMemory(static_cast<const char *>(bytes));
  if (image->found.sharedBegin)
    *image->found.sharedBegin = image->shared.begin;
  if (image->found.thread && image->found.block && image->found.barrier)
    return image;
  reason = "the code lacks the variables of the emulator";
  return nullptr;
}

/// Finds the section of the shared memory. Its address is relative to the load address of the library, which any symbol
/// gives.
void Image::findSharedMemory(const char *bytes) {
  Elf64_Ehdr header;
  memcpy(&header, bytes, sizeof header);
  auto sectionAt = [&](size_t index) {
    Elf64_Shdr section;
    memcpy(&section, bytes + header.e_shoff + index * header.e_shentsize, sizeof section);
    return section;
  };
  Dl_info info;
  if (!found.barrier || !dladdr(found.barrier, &info))
    return;
  const char *names = bytes + sectionAt(header.e_shstrndx).sh_offset;
  for (size_t index = 0; index < header.e_shnum; ++index)
    if (Elf64_Shdr section = sectionAt(index); strcmp(names + section.sh_name, "cameo_shared") == 0) {
      shared = {static_cast<char *>(info.dli_fbase) + section.sh_addr, section.sh_size};
    }
}

void Image::poisonSharedMemory() const {
  if (shared.begin)
    memset(shared.begin, 0xff, shared.bytes);
}

Image::~Image() {
  if (library)
    dlclose(library);
  if (file >= 0)
    close(file);
}

const int32_t *Image::argumentBytes(const std::string &name) const {
  return static_cast<const int32_t *>(dlsym(library, (name + ".argument_bytes").c_str()));
}

unsigned Image::dynamicBytes(const std::string &name) const {
  auto *bytes = static_cast<const int32_t *>(dlsym(library, (name + ".dynamic_bytes").c_str()));
  return bytes ? static_cast<unsigned>(*bytes) : 0;
}

int32_t Image::clusterBlocks(const std::string &name) const {
  auto *blocks = static_cast<const int32_t *>(dlsym(library, (name + ".cluster_blocks").c_str()));
  return blocks ? *blocks : 1;
}

Kernel Image::find(const char *name) const { return reinterpret_cast<Kernel>(dlsym(library, name)); }

} // namespace emulator
