// How the driver passes the compiler's diagnostics on: errors and warnings always, remarks when asked for.
#ifndef CAMEO_UTILS_DRIVER_DIAGNOSTICS_REPORTDIAGNOSTICS_H
#define CAMEO_UTILS_DRIVER_DIAGNOSTICS_REPORTDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

namespace cameo {

class DiagnosticSink;

/// While it lives, diagnostics of `context` go to the sink that the thread has at its beginning.
class ReportDiagnostics {
public:
  ReportDiagnostics(mlir::MLIRContext &context, bool withRemarks);

  unsigned errorCount() const { return errors; }

private:
  void report(mlir::Diagnostic &diagnostic);

  DiagnosticSink &sink;
  bool withRemarks;
  unsigned errors = 0;
  llvm::StringSet<> remarks; ///< that were passed on
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace cameo

#endif
