#include "utils/Driver/Inspect/ExplainSchedule.h"

#include "dialects/Task/TaskExternOps.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Rules/Complete/CompleteSchedules.h"
#include "passes/Schedule/Rules/Complete/FinishBlocks.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/PlaceRows.h"
#include "passes/Schedule/Rules/ShareKernels.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

using namespace cameo;
using cameo::schedule::Buffer;
using cameo::schedule::LoopNest;
using cameo::schedule::NestSchedule;
using cameo::schedule::TaskProgram;

static std::string bufferName(const Buffer &buffer) {
  switch (buffer.role) {
  case loop::Role::Argument:
    return "argument " + std::to_string(buffer.index);
  case loop::Role::Result:
    return "result " + std::to_string(buffer.index);
  case loop::Role::Temporary:
    return buffer.perRow ? "a row" : "scratch memory";
  case loop::Role::Table:
    return "a table";
  }
  llvm_unreachable("all roles are named");
}

/// Returns the block that remains of each dimension inside of all loops.
static std::vector<int64_t> blockOf(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims) {
  std::vector<int64_t> block;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    block.push_back(dim < rowDims ? 1 : int64_t(dimension.extent));
  for (const schedule::Loop &loop : schedule.loops)
    block[loop.dim] = std::min(block[loop.dim], loop.size);
  return block;
}

static std::string blockText(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims) {
  std::string text;
  for (auto [dim, size] : llvm::enumerate(blockOf(nest, schedule, rowDims))) {
    bool isVector = schedule.vectorDim == dim;
    if (size == 1 && !isVector)
      continue;
    text += llvm::formatv("{0}d{1} {2}", text.empty() ? "" : ", ", dim, size);
    if (isVector)
      text += llvm::formatv(" in vectors of {0}", schedule.lanes);
  }
  return text.empty() ? "one point" : text;
}

static void addNest(const TaskProgram &program, const LoopNest &nest, const NestSchedule &schedule, unsigned number,
                    unsigned rowDims, std::vector<std::string> &lines) {
  std::string head = llvm::formatv("nest {0}:", number);
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    head += llvm::formatv(" d{0} {1}{2}", dim, dimension.extent, dimension.reduction ? " (sum)" : "");
  lines.push_back(head);
  std::vector<int64_t> left;
  for (const schedule::Dimension &dimension : nest.dims)
    left.push_back(dimension.extent);
  unsigned depth = 1;
  auto add = [&](const std::string &text) { lines.push_back(std::string(2 * depth, ' ') + text); };
  for (unsigned dim = 0; dim < rowDims; ++dim, ++depth)
    add(llvm::formatv("for d{0} in {1}, shared with the other nests of the row", dim, left[dim]));
  for (auto [index, loop] : llvm::enumerate(schedule.loops)) {
    add(llvm::formatv("{0}for d{1} in {2} by {3}{4}",
                      index >= schedule.repeatedLoops && index < schedule.parallelEnd() ? "parallel " : "", loop.dim,
                      left[loop.dim], loop.size, schedule.partialLoop == index ? ", each part summed on its own" : ""));
    left[loop.dim] = std::min(left[loop.dim], loop.size);
    ++depth;
  }
  add("registers: " + blockText(nest, schedule, rowDims));
  if (schedule.turnsRows)
    lines.push_back("  backwards in every second row");
  if (auto [large, small] = schedule.pieceUnits; large > 1)
    lines.push_back(llvm::formatv(
        "  pieces of two sizes: threads share {0} parts of the large ones and {1} of the small", large, small));
  if (schedule.combinesSteps)
    lines.push_back("  steps of an iteration combined before the running results");
  if (schedule.finishesInLoop)
    lines.push_back(llvm::formatv("  results on the stack, {0} points at a time in a loop", schedule.functionsInTurns));
  if (schedule.fetchWork > 0)
    lines.push_back("  asks for a part of what the next row reads");
  for (unsigned buffer : schedule.packedBuffers)
    lines.push_back(
        llvm::formatv("  {0} packed{1}", bufferName(program.buffers[buffer]),
                      llvm::is_contained(schedule.prefetchedBuffers, buffer) ? ", fetched a block ahead" : ""));
}

/// Explains in which memory nests of `group` pass rows to each other. `first` is the number of its first nest.
static void addRows(const TaskProgram &program, const schedule::NestGroup &group, unsigned first,
                    std::vector<std::string> &lines) {
  std::map<cameo::loop::Space, schedule::Size> bytes;
  std::set<unsigned> seen;
  for (const LoopNest &nest : group.nests)
    schedule::forEachAccess(nest, [&](unsigned number, const schedule::LinearForm &, bool) {
      const Buffer &buffer = program.buffers[number];
      if (buffer.perRow && seen.insert(number).second)
        bytes.try_emplace(buffer.space, 0).first->second += buffer.elements * schedule::bytesOf(buffer.elementType);
    });
  for (const auto &[space, size] : bytes) {
    std::string text;
    llvm::raw_string_ostream(text) << "a row of nests " << first << " to " << first + group.nests.size() - 1
                                   << " passes on " << size << " bytes "
                                   << (space == cameo::loop::Space::Stack ? "on the stack" : "in the arena");
    lines.push_back(text);
  }
}

llvm::Expected<std::vector<std::string>> cameo::explainLoops(TaskProgram program, schedule::StepsAttr steps,
                                                             const Machine &machine) {
  llvm::Expected<schedule::ScheduledProgram> state = schedule::applySteps(steps, std::move(program), machine);
  if (!state)
    return state.takeError();
  schedule::completeSchedules(state->program, state->schedules, machine);
  schedule::finishBlocks(state->program, state->schedules);
  schedule::shareKernels(state->program, machine);
  schedule::placeRows(state->program);
  std::vector<std::string> lines;
  unsigned number = 0;
  for (const schedule::NestGroup &group : state->program.groups) {
    addRows(state->program, group, number, lines);
    for (const LoopNest &nest : group.nests) {
      addNest(state->program, nest, state->schedules[number], number, group.rowDims, lines);
      ++number;
    }
  }
  return lines;
}

ScheduleExplanation cameo::explainSchedule(task::DefOp def, const Machine &machine) {
  auto steps = def->getAttrOfType<schedule::StepsAttr>("schedule");
  if (!def.getBody().getOps<task::ExternOp>().empty())
    return {"none: a function of the program", {}, {}};
  if (!steps)
    return {"none: plain loops, in the order of the computation", {}, {}};
  ScheduleExplanation explanation;
  auto from = def->getAttrOfType<mlir::StringAttr>("schedule_from");
  explanation.from = from ? from.str() : "rules over the loops and the processor";
  for (mlir::Attribute step : steps.getSteps()) {
    std::string text;
    llvm::raw_string_ostream(text) << step;
    explanation.steps.push_back(llvm::StringRef(text).drop_front(llvm::StringRef("#schedule.").size()).str());
  }
  explanation.loops = llvm::cantFail(explainLoops(schedule::readNests(def), steps, machine));
  return explanation;
}
