// A helper that splits the text of expressions.
#ifndef CAMEO_DIALECTS_DIM_DIMTEXT_H
#define CAMEO_DIALECTS_DIM_DIMTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace cameo {

/// Splits `text` at the separators that are outside of parentheses.
llvm::SmallVector<llvm::StringRef> splitOutside(llvm::StringRef text, llvm::StringRef separator);

} // namespace cameo

#endif // CAMEO_DIALECTS_DIM_DIMTEXT_H
