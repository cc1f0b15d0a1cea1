// Options about inputs other than the sizes of their dimensions, and about integers that are computed at run time.
#ifndef CAMEO_FRONTEND_IMPORT_INPUTS_INPUTFORMS_H
#define CAMEO_FRONTEND_IMPORT_INPUTS_INPUTFORMS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace cameo {

/// All options are keyed by names in the model.
struct InputForms {
  llvm::StringMap<int64_t> lengths;       ///< number of elements of sequences
  llvm::StringSet<> absent;               ///< optional inputs that are absent in all runs; all others are present
  llvm::StringMap<std::string> constants; ///< comma-separated numbers of inputs that are the same in every run
  llvm::StringMap<std::string> aliases;   ///< by output: the input with which it shares a buffer of the caller
  llvm::StringMap<int64_t>
      bounds; ///< greatest values of integers that are sizes, by the names of values of the graph (BoundNumbers.h)
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTS_INPUTFORMS_H
