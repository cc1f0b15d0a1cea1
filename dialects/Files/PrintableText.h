// Texts of models and records on a terminal: a name may hold what moves the cursor or renames the window.
#ifndef CAMEO_DIALECTS_FILES_PRINTABLETEXT_H
#define CAMEO_DIALECTS_FILES_PRINTABLETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace cameo {

/// `text` with control characters, and bytes that are no UTF-8, as a backslash and two hexadecimal digits, as
/// llvm::printEscapedString has them; all else is as it was. Thread-safe.
std::string printable(llvm::StringRef text);

/// What a command prints for people: writes onto another stream as `printable` has it, but for the ends of lines, since
/// those of the command are among them: what may hold one in a file goes through `printable` before. Each write is of
/// whole characters. Not for JSON, whose strings escape by rules of their own.
class PrintableStream final : public llvm::raw_ostream {
public:
  explicit PrintableStream(llvm::raw_ostream &os) : raw_ostream(/*unbuffered=*/true), os(os) {}

  // Colours are the command's own.
  llvm::raw_ostream &changeColor(Colors color, bool bold, bool background) override;
  llvm::raw_ostream &resetColor() override;
  llvm::raw_ostream &reverseColor() override;
  bool has_colors() const override { return os.has_colors(); }
  bool is_displayed() const override { return os.is_displayed(); }

private:
  void write_impl(const char *text, size_t bytes) override;
  uint64_t current_pos() const override { return os.tell(); }

  llvm::raw_ostream &os;
};

} // namespace cameo

#endif
