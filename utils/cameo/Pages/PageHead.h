// How every page of `cameo report` begins.
#ifndef CAMEO_UTILS_CAMEO_PAGES_PAGEHEAD_H
#define CAMEO_UTILS_CAMEO_PAGES_PAGEHEAD_H

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// From the first line up to and with <body>; `style` comes behind the common one. `title` is escaped here.
void writePageHead(llvm::StringRef title, llvm::StringRef style, llvm::raw_ostream &os);

} // namespace cameo

#endif
