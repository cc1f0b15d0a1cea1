#include "utils/cameo/BisectReport.h"

#include "dialects/Files/PrintableText.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace cameo;

static std::string resultText(const BisectFinding &finding) {
  return llvm::formatv("result {0}, {1} {2}", finding.number, elementTypeName(finding.type), finding.shape);
}

static std::string errorText(const BisectFinding &finding) {
  if (finding.shape != finding.expectedShape)
    return "the shape, expected " + finding.expectedShape;
  const Difference &d = finding.difference;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.3g", d.maxAbsolute);
  if (d.worstIndex >= 0)
    os << " at element " << d.worstIndex;
  os << llvm::format(", bound %.3g, largest number %.3g", d.bound, d.largest);
  return text;
}

/// Returns the form to show: loops show how a wrong task computes; the form before shows which task a node became part
/// of.
static EmitKind emitOf(const BisectFinding &finding) {
  return finding.kind == BisectFinding::Kind::Task ? EmitKind::Loops : EmitKind::Tasks;
}

void cameo::printBisect(llvm::raw_ostream &os, const BisectResult &result, const CompileOptions &options, int64_t seed,
                        bool areWithin) {
  os << '\n';
  if (!result.finding) {
    os << "no task differs: " << result.taskResults
       << (result.taskResults == 1 ? " result of tasks was" : " results of tasks were")
       << " compared with plain loops\n";
    if (!areWithin)
      os << "the difference is gone when results between are outputs, which share no memory with others and end "
            "fusions\n";
    return;
  }
  const BisectFinding &finding = *result.finding;
  bool isTask = finding.kind == BisectFinding::Kind::Task && !finding.tasks.front().task.empty();
  if (isTask)
    os << "first task that differs from plain loops: " << printable(finding.tasks.front().task) << "  key "
       << finding.tasks.front().key << '\n';
  else if (finding.kind == BisectFinding::Kind::Task)
    os << "first difference from plain loops is in a loop of the model\n";
  else
    os << "no task differs from plain loops: a pass on the graph is wrong\n"
       << "first node that differs from the naive path: " << printable(finding.nodes) << "  " << finding.operation
       << '\n';
  if (finding.kind == BisectFinding::Kind::Task)
    os << "  nodes     " << printable(finding.nodes) << '\n';
  else
    for (const InnerResult::Maker &task : finding.tasks)
      os << "  task      " << printable(task.task) << "  key " << task.key << "  nodes " << printable(task.nodes)
         << '\n';
  if (isTask)
    os << "  schedule  " << (finding.schedule.empty() ? "plain loops" : printable(finding.schedule)) << '\n';
  os << "  tensor    " << resultText(finding) << '\n'
     << "  error     " << errorText(finding) << ", seed " << seed + static_cast<int64_t>(finding.round) << '\n';
  for (const InnerResult::Maker &task : finding.tasks)
    if (!task.key.empty())
      os << "  see       " << showTaskCommand(options, emitOf(finding), task.key) << '\n';
}

llvm::json::Value cameo::finiteOrNull(double value) {
  return std::isfinite(value) ? llvm::json::Value(value) : llvm::json::Value(nullptr);
}

llvm::json::Value cameo::bisectJson(const BisectResult &result, const CompileOptions &options, int64_t seed) {
  llvm::json::Object object{{"task_results", static_cast<int64_t>(result.taskResults)}, {"found", nullptr}};
  if (!result.finding)
    return object;
  const BisectFinding &finding = *result.finding;
  llvm::json::Array tasks;
  for (const InnerResult::Maker &task : finding.tasks)
    if (!task.key.empty())
      tasks.push_back(llvm::json::Object{{"name", task.task},
                                         {"key", task.key},
                                         {"nodes", task.nodes},
                                         {"command", showTaskCommand(options, emitOf(finding), task.key)}});
  llvm::json::Object found{{"kind", finding.kind == BisectFinding::Kind::Task ? "task" : "node"},
                           {"nodes", finding.nodes},
                           {"operation", finding.operation},
                           {"tasks", std::move(tasks)},
                           {"schedule", finding.schedule},
                           {"result", static_cast<int64_t>(finding.number)},
                           {"type", elementTypeName(finding.type)},
                           {"shape", finding.shape},
                           {"expected_shape", finding.expectedShape},
                           {"seed", seed + static_cast<int64_t>(finding.round)}};
  if (finding.shape == finding.expectedShape) {
    found["max_abs"] = finiteOrNull(finding.difference.maxAbsolute);
    found["bound"] = finiteOrNull(finding.difference.bound);
    found["element"] = finding.difference.worstIndex;
  }
  object["found"] = std::move(found);
  return object;
}
