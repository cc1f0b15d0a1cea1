// What the compiler is told about inputs beside the sizes of their dimensions, and about numbers that runs find.
#ifndef CAMEO_FRONTEND_IMPORT_INPUTS_INPUTFORMS_H
#define CAMEO_FRONTEND_IMPORT_INPUTS_INPUTFORMS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace cameo {

/// By the names that the model has for them.
struct InputForms {
  llvm::StringMap<int64_t> lengths;       ///< elements of sequences
  llvm::StringSet<> absent;               ///< optional inputs that no run gets; the others every run gets
  llvm::StringMap<std::string> constants; ///< numbers of inputs that are the same in every run, with commas between
  llvm::StringMap<std::string> aliases;   ///< inputs whose memory the caller hands for an output, by names of outputs
  llvm::StringMap<int64_t>
      bounds; ///< greatest values of integers that are sizes, by the names of values of the graph (BoundNumbers.h)
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTS_INPUTFORMS_H
