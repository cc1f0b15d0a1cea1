#include "utils/Driver/ReportDiagnostics.h"

#include "frontend/Import/DiagnosticPrinter.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace cameo;
using namespace mlir;

ReportDiagnostics::ReportDiagnostics(MLIRContext &context, bool withRemarks)
    : withRemarks(withRemarks), handler(&context, [this](Diagnostic &diagnostic) { report(diagnostic); }) {}

static llvm::HighlightColor colorOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return llvm::HighlightColor::Error;
  case DiagnosticSeverity::Warning:
    return llvm::HighlightColor::Warning;
  case DiagnosticSeverity::Remark:
    return llvm::HighlightColor::Remark;
  case DiagnosticSeverity::Note:
    return llvm::HighlightColor::Note;
  }
  llvm_unreachable("unknown severity");
}

/// As printDiagnostic writes it.
static StringRef wordOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error: ";
  case DiagnosticSeverity::Warning:
    return "warning: ";
  case DiagnosticSeverity::Remark:
    return "remark: ";
  case DiagnosticSeverity::Note:
    return "note: ";
  }
  llvm_unreachable("unknown severity");
}

void ReportDiagnostics::report(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Remark && !withRemarks)
    return;
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
    ++errors;
  std::string text;
  llvm::raw_string_ostream stream(text);
  printDiagnostic(diagnostic, stream);
  llvm::raw_ostream &os = llvm::errs();
  if (llvm::sys::Process::StandardErrIsDisplayed())
    os << "\r\033[K"; // over the progress line
  // The severity stands out; the rest is plain.
  StringRef message = text, word = wordOf(diagnostic.getSeverity());
  size_t begin = message.find(word);
  os << (begin == 0 ? "cameo: " : message.take_front(begin));
  llvm::WithColor(os, colorOf(diagnostic.getSeverity())) << word;
  os << message.drop_front(begin + word.size());
}
