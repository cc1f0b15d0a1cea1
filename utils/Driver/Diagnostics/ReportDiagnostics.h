// Forwards MLIR diagnostics: errors and warnings always, remarks on request.
#ifndef CAMEO_UTILS_DRIVER_DIAGNOSTICS_REPORTDIAGNOSTICS_H
#define CAMEO_UTILS_DRIVER_DIAGNOSTICS_REPORTDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

namespace cameo {

class DiagnosticSink;

/// During its lifetime, forwards diagnostics of `context` to the sink that this thread has at construction.
class ReportDiagnostics {
public:
  ReportDiagnostics(mlir::MLIRContext &context, bool withRemarks);

  unsigned errorCount() const { return errors; }

private:
  void report(mlir::Diagnostic &diagnostic);

  DiagnosticSink &sink;
  bool withRemarks;
  unsigned errors = 0;
  llvm::StringSet<> remarks; ///< remarks that were forwarded
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace cameo

#endif
