#include "utils/Driver/Diagnostics/DiagnosticSink.h"

#include "dialects/Files/PrintableText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

#include <utility>

using namespace cameo;
using llvm::StringRef;

namespace {

/// Names can be as long as the file that holds them, so the middle of a long text is omitted. What was expected stands
/// at its start or its end.
std::string shortened(StringRef text) {
  constexpr size_t most = 4096, half = most / 2;
  return printable(text.size() <= most ? text.str() : (text.take_front(half) + " ... " + text.take_back(half)).str());
}

/// Prints colours and the running phase if standard error is a terminal.
class StandardErrorSink final : public DiagnosticSink {
public:
  void report(Severity severity, StringRef place, StringRef message) override {
    llvm::raw_ostream &os = llvm::errs();
    if (llvm::sys::Process::StandardErrIsDisplayed())
      os << "\r\033[K"; // overwrites the progress line
    os << (place.empty() ? "cameo" : shortened(place)) << ": ";
    // Only the severity is coloured.
    llvm::WithColor(os, colorOf(severity)) << severityName(severity) << ": ";
    os << shortened(message) << '\n';
  }

  void beginPhase(StringRef phase) override {
    if (!llvm::sys::Process::StandardErrIsDisplayed())
      return;
    llvm::errs() << "\r\033[K" << phase;
    llvm::errs().flush();
  }

private:
  static llvm::HighlightColor colorOf(Severity severity) {
    switch (severity) {
    case Severity::Error:
      return llvm::HighlightColor::Error;
    case Severity::Warning:
      return llvm::HighlightColor::Warning;
    case Severity::Note:
      return llvm::HighlightColor::Note;
    case Severity::Remark:
      return llvm::HighlightColor::Remark;
    }
    llvm_unreachable("unknown severity");
  }
};

} // namespace

StringRef cameo::severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  case Severity::Remark:
    return "remark";
  }
  llvm_unreachable("unknown severity");
}

static thread_local DiagnosticSink *current = nullptr;

DiagnosticSink &cameo::standardErrorSink() {
  static StandardErrorSink sink;
  return sink;
}

DiagnosticSink &cameo::diagnosticSink() { return current ? *current : standardErrorSink(); }

UseDiagnosticSink::UseDiagnosticSink(DiagnosticSink &sink) : outer(std::exchange(current, &sink)) {}

UseDiagnosticSink::~UseDiagnosticSink() { current = outer; }

void cameo::report(Severity severity, const llvm::Twine &message) {
  llvm::SmallString<256> text;
  diagnosticSink().report(severity, "", message.toStringRef(text));
}
