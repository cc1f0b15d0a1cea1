#include "utils/Driver/Link/LibraryImage.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"

#include <cstring>

using namespace cameo;
using llvm::StringRef;
using llvm::object::ELFObjectFileBase;
using llvm::object::ELFSymbolRef;

void LibraryImage::write_impl(const char *data, size_t size) {
  if (memory.base())
    return append(StringRef(data, size));
  head.append(data, size);
  llvm::ELF::Elf64_Ehdr header;
  if (error || head.size() < sizeof(header))
    return;
  std::memcpy(&header, head.data(), sizeof(header));
  uint64_t bytes = header.e_shoff + uint64_t(header.e_shnum) * header.e_shentsize;
  // New pages from the system are zero.
  memory = llvm::sys::OwningMemoryBlock(llvm::sys::Memory::allocateMappedMemory(
      bytes, nullptr, llvm::sys::Memory::MF_READ | llvm::sys::Memory::MF_WRITE, error));
  if (!error)
    append(head);
  head.clear();
}

void LibraryImage::append(StringRef data) {
  if (data.size() > memory.allocatedSize() - written)
    error = std::make_error_code(std::errc::file_too_large);
  if (error)
    return;
  char *to = static_cast<char *>(memory.base()) + written;
  written += data.size();
  for (constexpr size_t page = 4096; !data.empty(); to += page) {
    StringRef part = data.take_front(page);
    data = data.drop_front(part.size());
    if (part.find_first_not_of('\0') != StringRef::npos)
      std::memcpy(to, part.data(), part.size());
  }
}

llvm::Expected<uint64_t> LibraryImage::offsetOf(StringRef symbol) const {
  auto file = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(contents(), "library"));
  if (!file)
    return file.takeError();
  for (ELFSymbolRef each : llvm::cast<ELFObjectFileBase>(**file).symbols()) {
    llvm::Expected<StringRef> name = each.getName();
    if (!name)
      return name.takeError();
    if (*name != symbol)
      continue;
    llvm::Expected<uint64_t> address = each.getAddress();
    llvm::Expected<llvm::object::section_iterator> section = each.getSection();
    if (!address || !section)
      return llvm::joinErrors(address.takeError(), section.takeError());
    return *address - (*section)->getAddress() + llvm::object::ELFSectionRef(**section).getOffset();
  }
  return llvm::createStringError("expected a symbol " + symbol + " in the library");
}

llvm::Error LibraryImage::fill(StringRef symbol, uint64_t bytes, llvm::function_ref<void(llvm::raw_ostream &)> write,
                               llvm::raw_ostream &os) {
  if (error)
    return llvm::createStringError(error, "cannot keep the linked library: " + error.message());
  llvm::Expected<uint64_t> offset = offsetOf(symbol);
  if (!offset)
    return offset.takeError();
  os << contents().take_front(*offset);
  write(os);
  os << contents().drop_front(*offset + bytes);
  return llvm::Error::success();
}
