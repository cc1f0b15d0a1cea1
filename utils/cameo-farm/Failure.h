// Error messages of this program, which does not use LLVM because agents run on boards.
#ifndef CAMEO_FARM_FAILURE_H
#define CAMEO_FARM_FAILURE_H

#include <string>

namespace cameo::farm {

/// One line for users; empty on success.
using Failure = std::string;

/// Prints "cameo farm: error: ..." and returns the exit status 1.
int fail(const Failure &failure);
/// Prints "cameo farm: ..." to standard error, for messages about the state of an agent or a server.
void say(const std::string &text);

} // namespace cameo::farm

#endif
