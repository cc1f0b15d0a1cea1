// The receiver of messages of a compilation: standard error, or the program that embeds the compiler.
#ifndef CAMEO_UTILS_DRIVER_DIAGNOSTICS_DIAGNOSTICSINK_H
#define CAMEO_UTILS_DRIVER_DIAGNOSTICS_DIAGNOSTICSINK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace cameo {

enum class Severity { Error, Warning, Note, Remark };

/// Each compilation calls it from one thread at a time.
class DiagnosticSink {
public:
  virtual ~DiagnosticSink() = default;

  /// Receives a message of one line. `place` is the file and the node, such as "net.onnx: node #17 'Conv_17'"; empty if
  /// the message is about the command. A note belongs to the message before it.
  virtual void report(Severity severity, llvm::StringRef place, llvm::StringRef message) = 0;

  /// Receives the name of the current phase: "import", "graph", ...; empty while the compilation waits for its caller.
  virtual void beginPhase(llvm::StringRef phase) = 0;
};

/// "error", "warning", "note", "remark".
llvm::StringRef severityName(Severity severity);

/// Returns the sink that prints to standard error, on a terminal with colours and the current phase.
DiagnosticSink &standardErrorSink();

/// Returns the sink of this thread: standard error unless UseDiagnosticSink has set another one.
DiagnosticSink &diagnosticSink();

/// Sets the sink of this thread to `sink` during its lifetime.
class UseDiagnosticSink {
public:
  explicit UseDiagnosticSink(DiagnosticSink &sink);
  ~UseDiagnosticSink();
  UseDiagnosticSink(const UseDiagnosticSink &) = delete;
  UseDiagnosticSink &operator=(const UseDiagnosticSink &) = delete;

private:
  DiagnosticSink *outer;
};

/// Reports a message about the command, or one that itself names its file.
void report(Severity severity, const llvm::Twine &message);

} // namespace cameo

#endif
