// Texts of models and records on a terminal: a name may hold what moves the cursor or renames the window.
#ifndef CAMEO_UTILS_DRIVER_PRINTABLETEXT_H
#define CAMEO_UTILS_DRIVER_PRINTABLETEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace cameo {

/// `text` with control characters, and bytes that are no UTF-8, as a backslash and two hexadecimal digits, as llvm::printEscapedString
/// has them; all else is as it was. Thread-safe.
std::string printable(llvm::StringRef text);

} // namespace cameo

#endif
