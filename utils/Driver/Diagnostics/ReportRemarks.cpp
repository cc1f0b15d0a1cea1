#include "utils/Driver/Diagnostics/ReportRemarks.h"

#include "frontend/Import/Model/DiagnosticPrinter.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Regex.h"

#include <mutex>

using namespace cameo;

namespace {

class SinkStreamer : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  /// Keeps the sink of this thread, because passes may run on other threads.
  SinkStreamer() : sink(diagnosticSink()) {}

  void streamOptimizationRemark(const mlir::remark::detail::Remark &remark) override {
    std::string place = describeLocation(remark.getLocation());
    std::string message = (llvm::Twine(remark.getCategoryName()) + ": " + textOf(remark)).str();
    std::lock_guard lock(mutex);
    if (reported.insert(place + '\n' + message).second)
      sink.report(Severity::Remark, place, message);
  }

private:
  /// Returns the values of all arguments. Their keys are meant for programs.
  static std::string textOf(const mlir::remark::detail::Remark &remark) {
    std::string text;
    for (const auto &argument : remark.getArgs())
      text += argument.val;
    return text;
  }

  DiagnosticSink &sink;
  std::mutex mutex;
  llvm::StringSet<> reported;
};

} // namespace

llvm::Error cameo::reportRemarks(mlir::MLIRContext &context, llvm::StringRef pattern) {
  std::string why;
  if (!llvm::Regex(pattern).isValid(why))
    return llvm::createStringError("expected a regular expression, got '" + pattern + "': " + why);
  mlir::remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis = categories.failed = pattern.str();
  if (failed(mlir::remark::enableOptimizationRemarks(context, std::make_unique<SinkStreamer>(),
                                                     std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(),
                                                     categories)))
    return llvm::createStringError("remarks are reported already");
  return llvm::Error::success();
}
