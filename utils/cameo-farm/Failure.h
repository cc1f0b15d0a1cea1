// How functions of this program say that something did not work: without LLVM, since agents run on boards.
#ifndef CAMEO_FARM_FAILURE_H
#define CAMEO_FARM_FAILURE_H

#include <string>

namespace cameo::farm {

/// One line for people; empty: it worked.
using Failure = std::string;

/// Prints "cameo farm: error: ..."; the exit status 1.
int fail(const Failure &failure);
/// Prints "cameo farm: ..." on standard error, where it says what an agent or a server does.
void say(const std::string &text);

} // namespace cameo::farm

#endif
