// Writes the dependencies of an output as a Make rule, so that a build system rebuilds it when one of the files
// changes.
#ifndef CAMEO_UTILS_DRIVER_DEPENDENCYFILE_H
#define CAMEO_UTILS_DRIVER_DEPENDENCYFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace cameo {

/// Writes the rule "output: inputs", and an empty rule for each input, so that Make does not fail if an input was
/// deleted. Names are escaped as by GCC and Clang; Make, Ninja and CMake read this form. Fails for a name with a line
/// break, which none of them can read.
llvm::Error writeDependencies(llvm::StringRef output, llvm::ArrayRef<std::string> inputs, llvm::raw_ostream &os);

} // namespace cameo

#endif
