// The versions of ONNX's operators in each operator set.
#ifndef CAMEO_FRONTEND_IMPORT_VERSIONS_OPERATORVERSIONS_H
#define CAMEO_FRONTEND_IMPORT_VERSIONS_OPERATORVERSIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace cameo {

/// The supported operator sets of the default domain.
constexpr int64_t kFirstOpset = 7;
constexpr int64_t kLastOpset = 28;

/// Returns the operator sets that added or changed the operator, ascending; a negative one removed it. Empty for an
/// unknown operator.
llvm::ArrayRef<int> getOperatorVersions(llvm::StringRef opType);

/// Returns the version in an operator set: the newest one that is not above it, negative if the operator was removed.
/// Returns nothing if the operator was added later, or never.
std::optional<int> getVersionInOpset(llvm::StringRef opType, int64_t opset);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_VERSIONS_OPERATORVERSIONS_H
