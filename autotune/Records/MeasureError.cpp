#include "autotune/Records/MeasureError.h"

#include "llvm/ADT/STLExtras.h"

using namespace cameo::autotune;

char MeasurementPending::ID = 0;

static constexpr llvm::StringLiteral names[] = {"none",           "instantiation", "compile-host",
                                                "compile-device", "runtime",       "wrong-answer",
                                                "build-timeout",  "run-timeout",   "unknown"};

llvm::StringRef cameo::autotune::errorKindName(ErrorKind kind) { return names[static_cast<int>(kind)]; }

std::optional<ErrorKind> cameo::autotune::parseErrorKind(llvm::StringRef name) {
  auto *found = llvm::find(names, name);
  if (found == std::end(names))
    return std::nullopt;
  return static_cast<ErrorKind>(found - names);
}
