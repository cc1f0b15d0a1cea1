// Prints diagnostics about models as `resnet50.onnx: node #17 'Conv_17': error: ...`, one line each.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_DIAGNOSTICPRINTER_H
#define CAMEO_FRONTEND_IMPORT_MODEL_DIAGNOSTICPRINTER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace cameo {

class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  explicit DiagnosticPrinter(mlir::MLIRContext *context, llvm::raw_ostream &os = llvm::errs());

  unsigned getNumErrors() const { return numErrors; }

private:
  unsigned numErrors = 0;
};

/// Returns the position in the model, or in a text file: `model.onnx: node #17 'Conv_17'`.
std::string describeLocation(mlir::Location loc);

/// Returns the message of a diagnostic on one line.
std::string messageLine(mlir::Diagnostic &diagnostic);

/// Prints `describeLocation: error: message` and the notes, one line each.
void printDiagnostic(mlir::Diagnostic &diagnostic, llvm::raw_ostream &os);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_DIAGNOSTICPRINTER_H
