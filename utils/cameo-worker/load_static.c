/* Loads a shared library of the form that the tuner links: without dependencies, thread-local data, constructors and
 * symbol versions. */
#define _GNU_SOURCE
#include "load_image.h"

#include "autotune/Measure/PackageFormat.h"
#include "functions.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum {
  type_word = R_X86_64_64,
  type_relative = R_X86_64_RELATIVE,
  type_data = R_X86_64_GLOB_DAT,
  type_call = R_X86_64_JUMP_SLOT
};
#elif defined(__aarch64__)
enum {
  type_word = R_AARCH64_ABS64,
  type_relative = R_AARCH64_RELATIVE,
  type_data = R_AARCH64_GLOB_DAT,
  type_call = R_AARCH64_JUMP_SLOT
};
#elif defined(__arm__)
enum {
  type_word = R_ARM_ABS32,
  type_relative = R_ARM_RELATIVE,
  type_data = R_ARM_GLOB_DAT,
  type_call = R_ARM_JUMP_SLOT
};
#elif defined(__riscv) && __riscv_xlen == 64
/* RISC-V has no separate relocation type for data symbols. */
enum {
  type_word = R_RISCV_64,
  type_relative = R_RISCV_RELATIVE,
  type_data = R_RISCV_NONE,
  type_call = R_RISCV_JUMP_SLOT
};
#else
#error "expected a processor that candidates are made for"
#endif

/* Number of tags of the dynamic section to store: all tags that are used are smaller. */
enum { tag_count = DT_JMPREL + 1 };

typedef struct image {
  const char *file;
  size_t file_bytes;
  const ElfW(Phdr) * segments;
  size_t segment_count;
  char *memory; /* address 0 of the library */
  size_t memory_bytes;
  ElfW(Addr) tags[tag_count];
  const ElfW(Sym) * symbols;
  const char *names;
  char *reason;
  size_t reason_bytes;
} image;

static bool fail(image *self, const char *what, const char *name) {
  snprintf(self->reason, self->reason_bytes, "%s%s", what, name);
  return false;
}

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static bool read_header(image *self) {
  const ElfW(Ehdr) *header = (const void *)self->file;
  if (self->file_bytes < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_type != ET_DYN ||
      header->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
      header->e_phentsize != sizeof(ElfW(Phdr)))
    return fail(self, "expected a shared library of this machine", "");
  if (header->e_phoff > self->file_bytes || header->e_phnum > (self->file_bytes - header->e_phoff) / sizeof(ElfW(Phdr)))
    return fail(self, "expected segments within the library", "");
  self->segments = (const void *)(self->file + header->e_phoff);
  self->segment_count = header->e_phnum;
  return true;
}

/* Copies the segments to new memory, which stays writable until it is protected. */
static bool map_segments(image *self) {
  const size_t most = (size_t)1 << 30;
  for (size_t i = 0; i < self->segment_count; ++i) {
    const ElfW(Phdr) *segment = &self->segments[i];
    if (segment->p_type != PT_LOAD)
      continue;
    if (segment->p_offset > self->file_bytes || segment->p_filesz > self->file_bytes - segment->p_offset ||
        segment->p_filesz > segment->p_memsz || segment->p_vaddr > most || segment->p_memsz > most)
      return fail(self, "expected segments within the library", "");
    size_t end = segment->p_vaddr + segment->p_memsz;
    self->memory_bytes = end > self->memory_bytes ? end : self->memory_bytes;
  }
  self->memory =
      mmap(NULL, self->memory_bytes + page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (self->memory == MAP_FAILED)
    return fail(self, strerror(errno), "");
  for (size_t i = 0; i < self->segment_count; ++i)
    if (self->segments[i].p_type == PT_LOAD)
      memcpy(self->memory + self->segments[i].p_vaddr, self->file + self->segments[i].p_offset,
             self->segments[i].p_filesz);
  return true;
}

static void *at(const image *self, ElfW(Addr) address, size_t count) {
  return address <= self->memory_bytes && count <= self->memory_bytes - address ? self->memory + address : NULL;
}

static bool read_dynamic(image *self) {
  for (size_t i = 0; i < self->segment_count; ++i) {
    const ElfW(Phdr) *segment = &self->segments[i];
    if (segment->p_type == PT_TLS)
      return fail(self, "expected a library without thread-local data", "");
    const ElfW(Dyn) *entries = segment->p_type == PT_DYNAMIC ? at(self, segment->p_vaddr, segment->p_memsz) : NULL;
    for (size_t k = 0; entries && k < segment->p_memsz / sizeof(*entries) && entries[k].d_tag != DT_NULL; ++k) {
      if (entries[k].d_tag == DT_NEEDED)
        return fail(self, "expected a library that needs no other one", "");
      if (entries[k].d_tag > 0 && entries[k].d_tag < tag_count)
        self->tags[entries[k].d_tag] = entries[k].d_un.d_ptr;
    }
  }
  self->symbols = at(self, self->tags[DT_SYMTAB], sizeof(ElfW(Sym)));
  self->names = at(self, self->tags[DT_STRTAB], self->tags[DT_STRSZ]);
  return self->tags[DT_SYMTAB] && self->symbols && self->names ? true : fail(self, "expected a table of symbols", "");
}

/* Returns the address of a symbol, or null. A weak symbol may be null. */
static char *resolve(image *self, size_t number, bool *is_missing) {
  const ElfW(Sym) *symbol = &self->symbols[number];
  const char *name = symbol->st_name < self->tags[DT_STRSZ] ? self->names + symbol->st_name : "";
  char *found = symbol->st_shndx != SHN_UNDEF ? at(self, symbol->st_value, 0) : find_function(name);
  *is_missing = !found && symbol->st_info >> 4 != STB_WEAK;
  if (*is_missing)
    fail(self, "undefined symbol: ", name);
  return found;
}

static bool relocate(image *self, ElfW(Addr) offset, size_t info, ElfW(Sxword) addend, bool has_addend) {
#if defined(__arm__)
  size_t type = ELF32_R_TYPE(info), number = ELF32_R_SYM(info);
#else
  size_t type = ELF64_R_TYPE(info), number = ELF64_R_SYM(info);
#endif
  char **place = at(self, offset, sizeof(char *)), *found = NULL;
  bool is_missing = false;
  if (!place)
    return fail(self, "expected relocations within the library", "");
  uintptr_t added = has_addend ? (uintptr_t)addend : type == type_call || type == type_data ? 0 : (uintptr_t)*place;
  if (type == type_relative) {
    *place = self->memory + added;
    return true;
  }
  if (type != type_word && type != type_call && (type != type_data || type_data == 0))
    return fail(self, "unsupported kind of relocation", "");
  found = resolve(self, number, &is_missing);
  *place = (char *)((uintptr_t)found + added);
  return !is_missing;
}

static bool relocate_table(image *self, ElfW(Addr) begin, size_t count, bool has_addend) {
  size_t each = has_addend ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
  const char *table = at(self, begin, count);
  for (size_t i = 0; table && i + each <= count; i += each) {
    const ElfW(Rela) *entry = (const void *)(table + i);
    if (!relocate(self, entry->r_offset, entry->r_info, has_addend ? entry->r_addend : 0, has_addend))
      return false;
  }
  return table || count == 0 ? true : fail(self, "expected relocations within the library", "");
}

static bool relocate_all(image *self) {
  return relocate_table(self, self->tags[DT_RELA], self->tags[DT_RELASZ], true) &&
         relocate_table(self, self->tags[DT_REL], self->tags[DT_RELSZ], false) &&
         relocate_table(self, self->tags[DT_JMPREL], self->tags[DT_PLTRELSZ], self->tags[DT_PLTREL] == DT_RELA);
}

static bool protect(image *self) {
  for (size_t i = 0; i < self->segment_count; ++i) {
    const ElfW(Phdr) *segment = &self->segments[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
      continue;
    char *begin = self->memory + segment->p_vaddr, *end = begin + segment->p_memsz;
    __builtin___clear_cache(begin, end);
    uintptr_t page = (uintptr_t)begin / page_bytes() * page_bytes();
    if (mprotect((void *)page, (size_t)((uintptr_t)end - page), PROT_READ | PROT_EXEC) != 0)
      return fail(self, strerror(errno), "");
  }
  return true;
}

/* The number of symbols is in different places in the hash tables of different linkers. The string table follows the
 * symbols, and gives an upper bound. */
static const cameo_model_description *find_description(image *self) {
  size_t most = self->tags[DT_STRTAB] > self->tags[DT_SYMTAB]
                    ? (self->tags[DT_STRTAB] - self->tags[DT_SYMTAB]) / sizeof(ElfW(Sym))
                    : 0;
  for (size_t i = 1; i < most; ++i) {
    const ElfW(Sym) *symbol = &self->symbols[i];
    if (symbol->st_name < self->tags[DT_STRSZ] && symbol->st_shndx != SHN_UNDEF &&
        strcmp(self->names + symbol->st_name, CAMEO_CANDIDATE_SYMBOL) == 0)
      return at(self, symbol->st_value, sizeof(cameo_model_description));
  }
  fail(self, "expected the symbol " CAMEO_CANDIDATE_SYMBOL, "");
  return NULL;
}

const cameo_model_description *load_image(const char *bytes, size_t count, const cameo_gpu_model **gpu, char *reason,
                                          size_t size) {
  static image self;
  *gpu = NULL;
  self = (image){.file = bytes, .file_bytes = count, .reason = reason, .reason_bytes = size};
  if (!read_header(&self) || !map_segments(&self) || !read_dynamic(&self) || !relocate_all(&self) || !protect(&self))
    return NULL;
  return find_description(&self);
}
