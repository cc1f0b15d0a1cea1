// How the driver shows the compiler's diagnostics: errors and warnings always, remarks when asked for.
#ifndef CAMEO_UTILS_DRIVER_REPORTDIAGNOSTICS_H
#define CAMEO_UTILS_DRIVER_REPORTDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

namespace cameo {

/// While it lives, diagnostics of `context` go to standard error, in colours on a terminal.
class ReportDiagnostics {
public:
  ReportDiagnostics(mlir::MLIRContext &context, bool withRemarks);

  unsigned errorCount() const { return errors; }

private:
  void report(mlir::Diagnostic &diagnostic);

  bool withRemarks;
  unsigned errors = 0;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace cameo

#endif
