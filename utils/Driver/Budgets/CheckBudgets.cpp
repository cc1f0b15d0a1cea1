#include "utils/Driver/Budgets/CheckBudgets.h"

#include "utils/Driver/Diagnostics/DiagnosticSink.h"

#include "llvm/ADT/STLExtras.h"

using namespace cameo;
using llvm::StringRef;

/// Number of largest parts to list, which is enough to decide where to begin.
static constexpr size_t mostNotes = 5;

namespace {

struct Part {
  int64_t bytes;
  std::string what;
};

} // namespace

static void noteLargest(std::vector<Part> parts) {
  llvm::sort(parts,
             [](const Part &a, const Part &b) { return a.bytes != b.bytes ? a.bytes > b.bytes : a.what < b.what; });
  for (const Part &part : llvm::ArrayRef(parts).take_front(mostNotes))
    report(Severity::Note, llvm::Twine(part.bytes) + " bytes: " + part.what);
  if (parts.size() > mostNotes)
    report(Severity::Note, "and " + llvm::Twine(parts.size() - mostNotes) + " smaller ones; 'cameo size' shows all");
}

/// Returns whether the budget holds. Reports an error if it does not.
static bool isWithin(std::optional<int64_t> budget, StringRef option, int64_t bytes, StringRef what, StringRef model) {
  if (!budget || bytes <= *budget)
    return true;
  report(Severity::Error, model + ": " + option + ": expected at most " + llvm::Twine(*budget) + " bytes of " + what +
                              ", got " + llvm::Twine(bytes));
  return false;
}

static bool checkArena(const Budgets &budgets, const ModelSize::Variant &variant, StringRef model) {
  const MemoryUse &memory = *variant.memory;
  if (budgets.arena && memory.openBuffers > 0) {
    report(Severity::Error, model + ": --max-arena: expected sizes that are known at compile time, got " +
                                llvm::Twine(memory.openBuffers) +
                                " buffers of sizes known only at run time: --dim NAME=SIZE fixes a size");
    return false;
  }
  if (isWithin(budgets.arena, "--max-arena", memory.arenaBytes, "arena", model))
    return true;
  size_t peak = *memory.peak();
  const MemoryUse::Step &step = memory.steps[peak];
  report(Severity::Note, llvm::Twine(step.aliveBytes) + " bytes are alive at the peak" + variant.forCpu() + ", in " +
                             taskText(step.task, step.nodes));
  std::vector<Part> parts;
  for (const MemoryUse::Buffer &buffer : memory.buffers)
    if (buffer.first <= static_cast<int64_t>(peak) && static_cast<int64_t>(peak) <= buffer.last)
      parts.push_back(
          {buffer.bytes, (buffer.isScratch ? "scratch of " : "result of ") + taskText(buffer.task, buffer.nodes)});
  noteLargest(std::move(parts));
  return false;
}

static bool checkText(const Budgets &budgets, const ModelSize &size, StringRef model) {
  if (isWithin(budgets.text, "--max-text", size.text(), "code and constants", model))
    return true;
  std::vector<Part> parts = {{size.constants, "constants"}};
  for (const ModelSize::Variant &variant : size.variants)
    for (const MemoryUse::Task &task : variant.memory->tasks)
      parts.push_back({variant.codeOf(task.name), "code of " + taskText(task.name, task.nodes) + variant.forCpu()});
  noteLargest(std::move(parts));
  return false;
}

static bool checkWeights(const Budgets &budgets, const ModelSize &size, StringRef model) {
  if (isWithin(budgets.weights, "--max-weights", size.weights, "weights", model))
    return true;
  std::vector<Part> parts;
  for (const ModelSize::Variant &variant : size.variants)
    for (const MemoryUse::Weight &weight : variant.memory->weights)
      parts.push_back({weight.bytes, weight.type + " of " + taskText(weight.task, weight.nodes) + variant.forCpu()});
  noteLargest(std::move(parts));
  return false;
}

llvm::LogicalResult cameo::checkBudgets(const Budgets &budgets, const ModelSize &size, StringRef model) {
  bool arena = checkArena(budgets, size.largestArena(), model), text = checkText(budgets, size, model),
       weights = checkWeights(budgets, size, model);
  return llvm::success(arena && text && weights);
}
