// What passes tell of their decisions, as MLIR's remarks, printed beside errors and warnings.
#ifndef CAMEO_UTILS_DRIVER_DIAGNOSTICS_REPORTREMARKS_H
#define CAMEO_UTILS_DRIVER_DIAGNOSTICS_REPORTREMARKS_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"

namespace cameo {

/// Reports the remarks of all passes whose names `pattern` matches, an extended regular expression, to the diagnostic
/// sink of this thread. Each one once, though phases may run again. An error says what is wrong with the pattern.
llvm::Error reportRemarks(mlir::MLIRContext &context, llvm::StringRef pattern);

} // namespace cameo

#endif
