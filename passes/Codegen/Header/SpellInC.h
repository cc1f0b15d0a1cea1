// Converts names and strings of a model to valid C and C++.
#ifndef CAMEO_PASSES_CODEGEN_HEADER_SPELLINC_H
#define CAMEO_PASSES_CODEGEN_HEADER_SPELLINC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cameo {

/// Converts names of a model to distinct C identifiers, in the same order. Each byte that is no letter, digit or
/// underscore becomes '_'. A name that then is empty or begins with a digit or '_' gets the prefix 't'. A reserved name
/// gets the suffix '_': keywords, names whose first two characters are no lower-case letters (as in most macros), `I`,
/// other macros without parameters, names that end in `_t` or begin with `cameo_`. If two names then differ at most in
/// case, the second one gets the suffix `_2`, and so on.
std::vector<std::string> toIdentifiers(llvm::ArrayRef<std::string> originals);

/// Makes a string safe inside a C comment.
std::string inComment(llvm::StringRef string);

/// Returns a C string literal for any bytes.
std::string stringLiteral(llvm::StringRef string);

std::string integerLiteral(int64_t value);

/// Returns the name of a cameo_element_type in abi.h without the prefix CAMEO_.
llvm::StringRef elementTypeConstant(int type);

} // namespace cameo

#endif
