// What an output was made from, as a rule of Make: so that a build system makes it again when one of these files
// changes.
#ifndef CAMEO_UTILS_DRIVER_DEPENDENCYFILE_H
#define CAMEO_UTILS_DRIVER_DEPENDENCYFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace cameo {

/// Writes the rule "output: inputs", and an empty rule for each input, so that Make does not insist on one that is
/// gone. Names are escaped as GCC and Clang do, which Make, Ninja and CMake read. Fails for a name with a line break,
/// which none of them can read.
llvm::Error writeDependencies(llvm::StringRef output, llvm::ArrayRef<std::string> inputs, llvm::raw_ostream &os);

} // namespace cameo

#endif
