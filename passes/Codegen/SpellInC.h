// What a model calls things, written so that C and C++ compilers take it.
#ifndef CAMEO_PASSES_CODEGEN_SPELLINC_H
#define CAMEO_PASSES_CODEGEN_SPELLINC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cameo {

/// Names of a model as distinct C identifiers that are no keywords, in order.
std::vector<std::string> toIdentifiers(llvm::ArrayRef<std::string> originals);

/// Text that is safe inside of a C comment.
std::string inComment(llvm::StringRef text);

/// A literal of any bytes.
std::string textLiteral(llvm::StringRef text);

std::string integerLiteral(int64_t value);

} // namespace cameo

#endif
