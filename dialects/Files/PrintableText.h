// Escapes text of models and records for a terminal: a name may contain control sequences that move the cursor or
// rename the window.
#ifndef CAMEO_DIALECTS_FILES_PRINTABLETEXT_H
#define CAMEO_DIALECTS_FILES_PRINTABLETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace cameo {

/// Returns `text` with control characters and bytes that are not UTF-8 escaped as a backslash and two hexadecimal
/// digits, as by llvm::printEscapedString. All else is unchanged. Thread-safe.
std::string printable(llvm::StringRef text);

/// A stream for the human-readable output of a command: writes to another stream, escaped as by `printable`, except for
/// newlines, which the command itself prints. Text from a file that may contain newlines must go through `printable`
/// first. Each write must consist of whole characters. Not for JSON, whose strings have escapes of their own.
class PrintableStream final : public llvm::raw_ostream {
public:
  explicit PrintableStream(llvm::raw_ostream &os) : raw_ostream(/*unbuffered=*/true), os(os) {}

  // Colours are set by the command, not by the text.
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
