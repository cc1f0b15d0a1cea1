// What the compiler is told about inputs that are no tensors: they become tensors before anything else.
#ifndef CAMEO_FRONTEND_IMPORT_INPUTFORMS_H
#define CAMEO_FRONTEND_IMPORT_INPUTFORMS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace cameo {

/// By the names that the model has for its inputs.
struct InputForms {
  llvm::StringMap<int64_t> lengths; ///< elements of sequences
  llvm::StringSet<> absent;         ///< optional inputs that no run gets; the others every run gets
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTFORMS_H
