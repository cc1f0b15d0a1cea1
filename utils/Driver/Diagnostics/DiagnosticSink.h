// Where the messages of a compilation go: to standard error, or to the program that the compiler is a part of.
#ifndef CAMEO_UTILS_DRIVER_DIAGNOSTICS_DIAGNOSTICSINK_H
#define CAMEO_UTILS_DRIVER_DIAGNOSTICS_DIAGNOSTICSINK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace cameo {

enum class Severity { Error, Warning, Note, Remark };

/// Called by one thread at a time for each compilation.
class DiagnosticSink {
public:
  virtual ~DiagnosticSink() = default;

  /// A message of one line. `place` is the file and the node that it is about, such as "net.onnx: node #17 'Conv_17'";
  /// empty where it is about the command. A note belongs to the message before it.
  virtual void report(Severity severity, llvm::StringRef place, llvm::StringRef message) = 0;

  /// What is done now: "import", "graph", ...; empty when the compilation waits for its caller.
  virtual void beginPhase(llvm::StringRef phase) = 0;
};

/// "error", "warning", "note", "remark".
llvm::StringRef severityName(Severity severity);

/// Messages in colours on a terminal, and the running phase there.
DiagnosticSink &standardErrorSink();

/// The sink of this thread: standard error unless UseDiagnosticSink says otherwise.
DiagnosticSink &diagnosticSink();

/// While it lives, messages of this thread go to `sink`.
class UseDiagnosticSink {
public:
  explicit UseDiagnosticSink(DiagnosticSink &sink);
  ~UseDiagnosticSink();
  UseDiagnosticSink(const UseDiagnosticSink &) = delete;
  UseDiagnosticSink &operator=(const UseDiagnosticSink &) = delete;

private:
  DiagnosticSink *outer;
};

/// A message about the command, or one that names its file itself.
void report(Severity severity, const llvm::Twine &message);

} // namespace cameo

#endif
