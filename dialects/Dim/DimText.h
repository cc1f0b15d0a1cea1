// Texts of expressions, for the parts that read them.
#ifndef CAMEO_DIALECTS_DIM_DIMTEXT_H
#define CAMEO_DIALECTS_DIM_DIMTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace cameo {

/// The parts between separators that are outside parentheses.
llvm::SmallVector<llvm::StringRef> splitOutside(llvm::StringRef text, llvm::StringRef separator);

} // namespace cameo

#endif // CAMEO_DIALECTS_DIM_DIMTEXT_H
