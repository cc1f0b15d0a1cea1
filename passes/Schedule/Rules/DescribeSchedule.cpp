// The nest with the most work stands for the task: the others are a small part of its time.
#include "passes/Schedule/Rules/DescribeSchedule.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo::schedule {

static std::string loopText(const LoopNest &nest, const Loop &loop) {
  std::string text = "d" + std::to_string(loop.dim);
  return loop.size == 1 || loop.size >= mostPoints(nest.dims[loop.dim]) ? text : text + "/" + std::to_string(loop.size);
}

/// "d1/14 d3/32, sum d0 d2/4" of all loops that have more than one iteration; "d3/32, sum d0, d1/14, sum d2/4" where loops over a
/// reduction are around others.
static std::string loopsText(const LoopNest &nest, const NestSchedule &schedule) {
  std::string text;
  bool isSum = false;
  for (const Loop &loop : schedule.loops) {
    if (loop.size >= mostPoints(nest.dims[loop.dim]))
      continue;
    bool wasSum = std::exchange(isSum, nest.dims[loop.dim].reduction);
    if (!text.empty())
      text += wasSum == isSum ? " " : ", ";
    text += (isSum && !wasSum ? "sum " : "") + loopText(nest, loop);
  }
  return text;
}

static std::string nestText(const LoopNest &nest, const NestSchedule &schedule, const Size &pieces) {
  SmallVector<std::string> parts = {pieces == 1 ? std::string("1 piece") : llvm::formatv("{0} pieces", pieces).str()};
  if (schedule.repeatedLoops > 0)
    parts.back() += " inside of d" + std::to_string(schedule.loops[schedule.repeatedLoops - 1].dim);
  if (std::string loops = loopsText(nest, schedule); !loops.empty())
    parts.push_back(loops);
  parts.push_back(schedule.vectorDim ? llvm::formatv("{0} lanes of d{1}", schedule.lanes, *schedule.vectorDim).str() : "scalar");
  if (schedule.dotDim)
    parts.push_back("groups of " + std::to_string(dotGroup) + " bytes");
  if (schedule.partialLoop)
    parts.push_back("partial sums");
  if (!schedule.prefetchedBuffers.empty())
    parts.push_back("packed, fetched ahead");
  else if (!schedule.packedBuffers.empty())
    parts.push_back("packed");
  return llvm::join(parts, "; ");
}

std::string describe(const TaskProgram &program, ArrayRef<NestSchedule> schedules, StepsAttr steps) {
  std::string text;
  for (Attribute step : steps.getSteps()) {
    if (auto winograd = dyn_cast<WinogradAttr>(step)) {
      text += llvm::formatv("winograd {0}x{0} by {1}x{2} tiles", winograd.getOutputs(), winograd.getRows(), winograd.getColumns());
      text += winograd.getChannels() > 0 ? llvm::formatv(" and {0}x{1} weights; ", winograd.getChannels(), winograd.getDepth()).str() : "; ";
    }
    if (auto fuse = dyn_cast<FuseAttr>(step))
      text += llvm::formatv("bands of {0}; ", fuse.getSize());
    if (auto flatten = dyn_cast<FlattenAttr>(step))
      text += llvm::formatv("d{0} d{1} flattened; ", flatten.getDim(), flatten.getDim() + 1);
  }
  if (schedules.size() != 1)
    text += std::to_string(schedules.size()) + " nests; ";
  const LoopNest *largest = nullptr;
  const NestSchedule *schedule = schedules.data(), *its = nullptr;
  Size pieces = 1;
  for (const NestGroup &group : program.groups) {
    llvm::ArrayRef<NestSchedule> own(schedule, group.nests.size());
    for (const LoopNest &nest : group.nests) {
      if (!largest || workOf(nest) > workOf(*largest)) {
        largest = &nest;
        its = schedule;
        pieces = parallelExtent(group, own);
      }
      ++schedule;
    }
  }
  return largest ? text + nestText(*largest, *its, pieces) : "nothing to do";
}

} // namespace cameo::schedule
