// Patches offset and size (or type and size) in one section header, and the size of the symbol that lies there (ELF-64
// object file format, System V ABI, chapter 4).
#include "passes/Codegen/AppendSection.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <optional>

using namespace llvm;

namespace cameo {
namespace {

class ElfPatcher {
public:
  explicit ElfPatcher(StringRef object) : bytes(object.begin(), object.end()) {}

  /// Without an offset the section becomes SHT_NOBITS.
  Error patch(StringRef name, std::optional<uint64_t> offset, uint64_t size) {
    ELF::Elf64_Ehdr header;
    if (bytes.size() < sizeof(header))
      return createStringError("expected an ELF object");
    std::memcpy(&header, bytes.data(), sizeof(header));
    if (!header.checkMagic() || header.getFileClass() != ELF::ELFCLASS64)
      return createStringError("expected a 64-bit ELF object");
    ELF::Elf64_Shdr names = section(header, header.e_shstrndx);
    for (unsigned index = 0; index < header.e_shnum; ++index) {
      ELF::Elf64_Shdr candidate = section(header, index);
      if (StringRef(bytes.data() + names.sh_offset + candidate.sh_name) != name)
        continue;
      candidate.sh_offset = offset.value_or(candidate.sh_offset);
      candidate.sh_type = offset ? candidate.sh_type : unsigned(ELF::SHT_NOBITS);
      candidate.sh_size = size;
      std::memcpy(bytes.data() + header.e_shoff + index * sizeof(candidate), &candidate, sizeof(candidate));
      resizeSymbols(header, index, size);
      return Error::success();
    }
    return createStringError("expected a section named %s", name.str().c_str());
  }

  StringRef contents() const { return StringRef(bytes.data(), bytes.size()); }

private:
  ELF::Elf64_Shdr section(const ELF::Elf64_Ehdr &header, unsigned index) const {
    ELF::Elf64_Shdr result;
    std::memcpy(&result, bytes.data() + header.e_shoff + index * sizeof(result), sizeof(result));
    return result;
  }

  void resizeSymbols(const ELF::Elf64_Ehdr &header, unsigned sectionIndex, uint64_t size) {
    for (unsigned index = 0; index < header.e_shnum; ++index) {
      ELF::Elf64_Shdr table = section(header, index);
      if (table.sh_type != ELF::SHT_SYMTAB)
        continue;
      for (uint64_t at = table.sh_offset; at < table.sh_offset + table.sh_size; at += sizeof(ELF::Elf64_Sym)) {
        ELF::Elf64_Sym symbol;
        std::memcpy(&symbol, bytes.data() + at, sizeof(symbol));
        if (symbol.st_shndx != sectionIndex || symbol.getType() != ELF::STT_OBJECT)
          continue;
        symbol.st_size = size;
        std::memcpy(bytes.data() + at, &symbol, sizeof(symbol));
      }
    }
  }

  SmallVector<char, 0> bytes;
};

} // namespace

Error appendSection(StringRef object, StringRef name, uint64_t bytes, function_ref<void(raw_ostream &)> writeContents,
                    raw_ostream &os) {
  constexpr uint64_t alignment = 64;
  uint64_t offset = alignTo(object.size(), alignment);
  ElfPatcher patcher(object);
  if (Error error = patcher.patch(name, offset, bytes))
    return error;
  os << patcher.contents();
  os.write_zeros(offset - object.size());
  writeContents(os);
  return Error::success();
}

Error reserveSection(StringRef object, StringRef name, uint64_t bytes, raw_ostream &os) {
  ElfPatcher patcher(object);
  if (Error error = patcher.patch(name, std::nullopt, bytes))
    return error;
  os << patcher.contents();
  return Error::success();
}

} // namespace cameo
