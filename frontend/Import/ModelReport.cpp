// Prints the report on a model as text and as JSON.
#include "frontend/Import/CheckModel.h"

#include "dialects/Files/PrintableText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace cameo;

namespace {

StringRef getKindName(ModelProblem::Kind kind) {
  switch (kind) {
  case ModelProblem::Operator:
    return "operator";
  case ModelProblem::Node:
    return "node";
  case ModelProblem::Data:
    return "data";
  case ModelProblem::Lowering:
    return "lowering";
  }
  llvm_unreachable("unknown kind of problem");
}

std::string plural(size_t count, StringRef noun) { return (Twine(count) + " " + noun + (count == 1 ? "" : "s")).str(); }

/// Returns the message with the operator's name before it, unless the message contains that.
std::string describe(const ModelProblem &problem) {
  if (problem.operatorName.empty() || StringRef(problem.message).contains(problem.operatorName))
    return problem.message;
  return problem.operatorName + ": " + problem.message;
}

constexpr size_t kShownNodes = 4;

/// Prints tasks that are supported but slow, which no error reports. `place` is where they run.
void printSlow(ArrayRef<std::string> tasks, StringRef place, raw_ostream &os) {
  if (tasks.empty())
    return;
  os << "  " << plural(tasks.size(), "task") << " on " << place << ": ";
  ListSeparator separator(", ");
  for (const std::string &task : tasks.take_front(kShownNodes))
    os << separator << printable(task);
  if (tasks.size() > kShownNodes)
    os << ", and " << tasks.size() - kShownNodes << " more";
  os << "\n";
}

} // namespace

void cameo::printText(const ModelReport &report, raw_ostream &os) {
  os << report.path << ": " << plural(report.nodeCount, "node") << " of "
     << plural(report.operators.size(), "operator");
  for (const auto &[domain, version] : report.opsets)
    os << ", " << printable(domain) << " " << version;
  if (report.isSupported()) {
    os << ": supported\n";
    for (const ExternFunction &function : report.externs)
      os << "  " << plural(function.callCount, "node") << " of " << printable(function.operatorName)
         << ": left to the program's function " << function.name << "\n";
    printSlow(report.singleThread, "a single thread of the GPU", os);
    printSlow(report.hostTasks, "the host", os);
    return;
  }
  os << ": " << plural(report.problems.size(), "problem") << "\n";
  for (const ModelProblem &problem : report.problems) {
    os << "  " << plural(problem.nodes.size(), problem.kind == ModelProblem::Data ? "tensor" : "node") << ": "
       << printable(describe(problem)) << "\n    ";
    ListSeparator separator(", ");
    for (const std::string &node : ArrayRef(problem.nodes).take_front(kShownNodes))
      os << separator << printable(node);
    if (problem.nodes.size() > kShownNodes)
      os << ", and " << problem.nodes.size() - kShownNodes << " more";
    os << "\n";
  }
  if (report.uncheckedCount)
    os << "  " << plural(report.uncheckedCount, "node") << " not checked: the types of their inputs are unknown\n";
}

void cameo::printJson(const ModelReport &report, raw_ostream &os) {
  // Names in a file may contain any bytes.
  auto text = [](StringRef raw) { return json::isUTF8(raw) ? raw.str() : json::fixUTF8(raw); };
  json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("model", text(report.path));
    json.attribute("supported", report.isSupported());
    json.attributeObject("opsets", [&] {
      for (const auto &[domain, version] : report.opsets)
        json.attribute(text(domain), version);
    });
    json.attribute("nodes", int64_t(report.nodeCount));
    json.attribute("unchecked", int64_t(report.uncheckedCount));
    json.attributeObject("operators", [&] {
      for (const auto &[name, count] : report.operators)
        json.attribute(text(name), int64_t(count));
    });
    json.attributeArray("problems", [&] {
      for (const ModelProblem &problem : report.problems)
        json.object([&] {
          json.attribute("kind", getKindName(problem.kind));
          json.attribute("operator", text(problem.operatorName));
          json.attribute("message", text(problem.message));
          json.attribute("count", int64_t(problem.nodes.size()));
          json.attributeArray("nodes", [&] {
            for (const std::string &node : problem.nodes)
              json.value(text(node));
          });
        });
    });
    json.attributeArray("externs", [&] {
      for (const ExternFunction &function : report.externs)
        json.object([&] {
          json.attribute("function", function.name);
          json.attribute("operator", text(function.operatorName));
          json.attribute("count", int64_t(function.callCount));
        });
    });
    json.attributeArray("single_thread", [&] {
      for (const std::string &task : report.singleThread)
        json.value(text(task));
    });
    json.attributeArray("host_tasks", [&] {
      for (const std::string &task : report.hostTasks)
        json.value(text(task));
    });
  });
  os << "\n";
}
