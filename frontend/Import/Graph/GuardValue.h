// Ends runs in which a condition does not hold that every run must satisfy.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_GUARDVALUE_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_GUARDVALUE_H

#include "frontend/Import/Versions/NodeDraft.h"

namespace cameo {

/// Returns `value` with a check: a run in which `condition`, a bool with one element, differs from `required` ends with
/// CAMEO_INVALID_ARGUMENT. No dimension of `value` may be unknown. `sizeName` is an unused name of a size. Fails after
/// an error.
mlir::FailureOr<mlir::Value> guardValue(NodeDraft &draft, mlir::Value value, mlir::Value condition, bool required,
                                        llvm::StringRef sizeName);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_GUARDVALUE_H
