// Reports the decisions of passes, which are MLIR remarks, together with errors and warnings.
#ifndef CAMEO_UTILS_DRIVER_DIAGNOSTICS_REPORTREMARKS_H
#define CAMEO_UTILS_DRIVER_DIAGNOSTICS_REPORTREMARKS_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"

namespace cameo {

/// Reports the remarks of all passes whose names match `pattern`, an extended regular expression, to the diagnostic
/// sink of this thread. Each remark is reported once, even if phases run again. Fails if the pattern is invalid.
llvm::Error reportRemarks(mlir::MLIRContext &context, llvm::StringRef pattern);

} // namespace cameo

#endif
