#include "utils/Driver/Diagnostics/ReportDiagnostics.h"

#include "frontend/Import/Model/DiagnosticPrinter.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"

using namespace cameo;
using namespace mlir;

ReportDiagnostics::ReportDiagnostics(MLIRContext &context, bool withRemarks)
    : sink(diagnosticSink()), withRemarks(withRemarks),
      handler(&context, [this](Diagnostic &diagnostic) { report(diagnostic); }) {}

static Severity severityOf(const Diagnostic &diagnostic) {
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    return Severity::Error;
  case DiagnosticSeverity::Warning:
    return Severity::Warning;
  case DiagnosticSeverity::Remark:
    return Severity::Remark;
  case DiagnosticSeverity::Note:
    return Severity::Note;
  }
  llvm_unreachable("unknown severity");
}

void ReportDiagnostics::report(Diagnostic &diagnostic) {
  Severity severity = severityOf(diagnostic);
  if (severity == Severity::Remark && !withRemarks)
    return;
  errors += severity == Severity::Error;
  std::string place = describeLocation(diagnostic.getLocation()), message = messageLine(diagnostic);
  // Phases that run again for a budget repeat their remarks.
  if (severity == Severity::Remark && !remarks.insert(place + '\n' + message).second)
    return;
  sink.report(severity, place, message);
  for (Diagnostic &note : diagnostic.getNotes())
    report(note);
}
