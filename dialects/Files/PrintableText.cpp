#include "dialects/Files/PrintableText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using llvm::StringRef;

/// Returns the number of bytes of the first character of `text`; 0 if it is not printable.
static size_t shownBytes(StringRef text) {
  auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80)
    return llvm::isPrint(text.front()) ? 1 : 0;
  size_t bytes = llvm::getNumBytesForUTF8(first);
  if (bytes > text.size() || !llvm::isLegalUTF8Sequence(text.bytes_begin(), text.bytes_begin() + bytes))
    return 0;
  // U+0080 to U+009F are 8-bit control characters.
  bool isControl = first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
  return isControl ? 0 : bytes;
}

std::string cameo::printable(StringRef text) {
  std::string shown;
  while (!text.empty()) {
    size_t bytes = shownBytes(text);
    if (bytes == 0) {
      shown += '\\' + llvm::toHex(text.take_front());
      bytes = 1;
    } else {
      shown += text.take_front(bytes);
    }
    text = text.drop_front(bytes);
  }
  return shown;
}

void cameo::PrintableStream::write_impl(const char *text, size_t bytes) {
  StringRef rest(text, bytes);
  while (true) {
    size_t end = rest.find('\n');
    os << printable(rest.take_front(end));
    if (end == StringRef::npos)
      return;
    os << '\n';
    rest = rest.drop_front(end + 1);
  }
}

llvm::raw_ostream &cameo::PrintableStream::changeColor(Colors color, bool bold, bool background) {
  os.changeColor(color, bold, background);
  return *this;
}

llvm::raw_ostream &cameo::PrintableStream::resetColor() {
  os.resetColor();
  return *this;
}

llvm::raw_ostream &cameo::PrintableStream::reverseColor() {
  os.reverseColor();
  return *this;
}
