#include "passes/Codegen/KernelCode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"

using llvm::StringRef;

namespace cameo {

KernelName readKernelName(StringRef function) {
  auto [task, rest] = function.rsplit(".k");
  StringRef number = rest.take_while(llvm::isDigit);
  rest = rest.drop_front(number.size());
  rest.consume_front(".parallel");
  bool isKernel = !number.empty() && (rest.empty() || rest.consume_front("."));
  auto [whole, variant] = task.rsplit(".v");
  if (!variant.empty() && llvm::all_of(variant, llvm::isDigit))
    task = whole;
  return isKernel ? KernelName{task, rest} : KernelName{};
}

llvm::Expected<int64_t> measureKernels(StringRef object) {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "object"));
  if (!file)
    return file.takeError();
  int64_t bytes = 0;
  for (llvm::object::ELFSymbolRef symbol : llvm::cast<llvm::object::ELFObjectFileBase>(**file).symbols()) {
    llvm::Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (symbol.getELFType() == llvm::ELF::STT_FUNC && !readKernelName(*name).task.empty())
      bytes += symbol.getSize();
  }
  return bytes;
}

} // namespace cameo
