#include "frontend/Import/Model/DiagnosticPrinter.h"

#include "mlir/IR/Location.h"

using namespace mlir;

namespace {

StringRef severityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Note:
    return "note";
  }
  llvm_unreachable("unknown severity");
}

std::string describeNamed(NameLoc named) {
  auto file = dyn_cast<FileLineColLoc>(named.getChildLoc());
  StringRef name = named.getName().getValue();
  if (!file)
    return ("'" + name + "'").str();
  std::string text = file.getFilename().str();
  if (file.getLine() == 0)
    return text + ": value '" + name.str() + "'";
  text += ": node #" + std::to_string(file.getLine() - 1);
  // The generated name of a node without a name repeats its number.
  std::string prefix = ("#" + Twine(file.getLine() - 1) + ":").str();
  if (name.starts_with(prefix))
    return text + " (" + name.substr(prefix.size()).str() + ")";
  return text + " '" + name.str() + "'";
}

std::string describeFused(FusedLoc fused) {
  std::string text;
  for (auto [i, part] : llvm::enumerate(fused.getLocations())) {
    auto named = dyn_cast<NameLoc>(part);
    if (i == 0)
      text = cameo::describeLocation(part);
    else if (named)
      text += (i == 1 ? " fused with '" : ", '") + named.getName().str() + "'";
  }
  return text;
}

} // namespace

std::string cameo::describeLocation(Location loc) {
  if (auto named = dyn_cast<NameLoc>(loc))
    return describeNamed(named);
  if (auto fused = dyn_cast<FusedLoc>(loc); fused && !fused.getLocations().empty())
    return describeFused(fused);
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return describeLocation(call.getCallee());
  if (auto file = dyn_cast<FileLineColLoc>(loc)) {
    std::string text = file.getFilename().str();
    if (file.getLine() != 0)
      text += ":" + std::to_string(file.getLine()) + ":" + std::to_string(file.getColumn());
    return text;
  }
  return "";
}

std::string cameo::messageLine(Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  // A diagnostic is printed on one line, whatever attributes it contains.
  llvm::replace(message, '\n', ' ');
  return message;
}

void cameo::printDiagnostic(Diagnostic &diagnostic, raw_ostream &os) {
  std::string place = describeLocation(diagnostic.getLocation());
  if (!place.empty())
    os << place << ": ";
  os << severityName(diagnostic.getSeverity()) << ": " << messageLine(diagnostic) << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note, os);
}

cameo::DiagnosticPrinter::DiagnosticPrinter(MLIRContext *context, raw_ostream &os) : ScopedDiagnosticHandler(context) {
  setHandler([this, &os](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      ++numErrors;
    printDiagnostic(diagnostic, os);
  });
}
