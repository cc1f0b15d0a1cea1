// The reason why a candidate has no cost. The numbers are those of TVM.
#ifndef CAMEO_AUTOTUNE_RECORDS_MEASUREERROR_H
#define CAMEO_AUTOTUNE_RECORDS_MEASUREERROR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace cameo::autotune {

enum class ErrorKind {
  None = 0,
  Instantiation = 1, // the schedule does not fit the task
  CompileHost = 2,   // code generation failed, or the compiler crashed
  CompileDevice = 3,
  Runtime = 4,     // crashed, ran out of memory, or returned an error
  WrongAnswer = 5, // too far from the naive path
  BuildTimeout = 6,
  RunTimeout = 7,
  Unknown = 8 // the worker itself failed
};

/// "none", "instantiation", "compile-host", ...
llvm::StringRef errorKindName(ErrorKind kind);
std::optional<ErrorKind> parseErrorKind(llvm::StringRef name);

struct MeasureError {
  ErrorKind kind = ErrorKind::None;
  std::string message;
};

/// Not a failure: a user carries the measurement to another machine while this program is not running, and its next run
/// has the result.
class MeasurementPending : public llvm::ErrorInfo<MeasurementPending> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override { os << "a measurement has no result yet"; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

} // namespace cameo::autotune

#endif
