// Prints the manual pages of an installation: cameo help --man.
#ifndef CAMEO_UTILS_CAMEO_COMMANDLINE_MANPAGES_H
#define CAMEO_UTILS_CAMEO_COMMANDLINE_MANPAGES_H

#include "llvm/ADT/StringRef.h"

namespace cameo {

/// Prints the page of the command `name` in roff to standard output; for an empty name, the page of cameo itself.
/// Returns the exit status.
int printManPage(llvm::StringRef name);

} // namespace cameo

#endif
