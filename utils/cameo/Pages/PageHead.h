// The beginning of each page of `cameo report`.
#ifndef CAMEO_UTILS_CAMEO_PAGES_PAGEHEAD_H
#define CAMEO_UTILS_CAMEO_PAGES_PAGEHEAD_H

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes everything up to and including <body>. `style` follows the common style sheet. Escapes `title`.
void writePageHead(llvm::StringRef title, llvm::StringRef style, llvm::raw_ostream &os);

} // namespace cameo

#endif
