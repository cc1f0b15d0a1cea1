// What a model calls things, written so that C and C++ compilers take it.
#ifndef CAMEO_PASSES_CODEGEN_HEADER_SPELLINC_H
#define CAMEO_PASSES_CODEGEN_HEADER_SPELLINC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cameo {

/// Names of a model as distinct C identifiers, in order. Each byte that is no letter, digit or underscore becomes '_';
/// what then begins with a digit or '_', or is empty, gets a 't' before it; what C, C++ or a common header takes gets a
/// '_' behind it: keywords, names whose first two characters are no lower-case letters (as macros are written), `I`,
/// other macros without parameters, names that end in `_t` or begin with `cameo_`. The second of two names that are the
/// same then, but for the case of letters, gets `_2`, and so on.
std::vector<std::string> toIdentifiers(llvm::ArrayRef<std::string> originals);

/// Text that is safe inside of a C comment.
std::string inComment(llvm::StringRef text);

/// A literal of any bytes.
std::string textLiteral(llvm::StringRef text);

std::string integerLiteral(int64_t value);

/// A cameo_element_type as abi.h names it, behind CAMEO_.
llvm::StringRef elementTypeConstant(int type);

} // namespace cameo

#endif
