// Conversion and whole-task verification of schedules.
#include "passes/Schedule/Rules/ScheduleSteps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo::schedule {

static Attribute toAttr(MLIRContext *context, const Replacement &replacement) {
  if (const auto *step = std::get_if<WinogradStep>(&replacement))
    return WinogradAttr::get(context, step->nest, step->outputs, step->rows, step->columns, step->channels, step->depth);
  if (const auto *step = std::get_if<FlattenStep>(&replacement))
    return FlattenAttr::get(context, step->nest, step->dim);
  const auto &step = std::get<FuseStep>(replacement);
  return FuseAttr::get(context, step.nest, step.last, step.size);
}

StepsAttr toSteps(MLIRContext *context, ArrayRef<Replacement> replacements, ArrayRef<NestSchedule> schedules) {
  SmallVector<Attribute> steps;
  for (const Replacement &replacement : replacements)
    steps.push_back(toAttr(context, replacement));
  for (auto [number, schedule] : llvm::enumerate(schedules)) {
    unsigned nest = number;
    if (schedule.vectorDim)
      steps.push_back(VectorizeAttr::get(context, nest, *schedule.vectorDim, schedule.lanes));
    for (unsigned buffer : schedule.packedBuffers)
      steps.push_back(PackAttr::get(context, nest, buffer));
    for (unsigned buffer : schedule.prefetchedBuffers)
      steps.push_back(PrefetchAttr::get(context, nest, buffer));
    if (schedule.dotDim)
      steps.push_back(DotAttr::get(context, nest, *schedule.dotDim));
    for (const Loop &loop : schedule.loops)
      steps.push_back(TileAttr::get(context, nest, loop.dim, loop.size));
    if (schedule.parallelLoops > 0)
      steps.push_back(ParallelAttr::get(context, nest, schedule.parallelLoops, schedule.repeatedLoops));
    if (schedule.partialLoop)
      steps.push_back(RfactorAttr::get(context, nest, *schedule.partialLoop));
  }
  return StepsAttr::get(context, steps);
}

static unsigned nestOf(Attribute step) {
  return llvm::TypeSwitch<Attribute, unsigned>(step)
      .Case<TileAttr, ParallelAttr, VectorizeAttr, PackAttr, PrefetchAttr, RfactorAttr, DotAttr>(
          [](auto attr) { return attr.getNest(); });
}

static llvm::Error addStep(Attribute step, const TaskProgram &program, NestSchedule &schedule) {
  if (auto tile = dyn_cast<TileAttr>(step)) {
    schedule.loops.push_back({tile.getDim(), tile.getSize()});
  } else if (auto parallel = dyn_cast<ParallelAttr>(step)) {
    schedule.parallelLoops = parallel.getLoops();
    schedule.repeatedLoops = parallel.getInside();
  } else if (auto vectorize = dyn_cast<VectorizeAttr>(step)) {
    schedule.vectorDim = vectorize.getDim();
    schedule.lanes = vectorize.getLanes();
  } else if (auto dot = dyn_cast<DotAttr>(step)) {
    schedule.dotDim = dot.getDim();
  } else if (auto rfactor = dyn_cast<RfactorAttr>(step)) {
    schedule.partialLoop = rfactor.getLoop();
  } else {
    auto prefetch = dyn_cast<PrefetchAttr>(step);
    unsigned buffer = prefetch ? prefetch.getBuffer() : cast<PackAttr>(step).getBuffer();
    if (buffer >= program.buffers.size())
      return llvm::createStringError("expected a buffer below %zu, got %u", program.buffers.size(), buffer);
    (prefetch ? schedule.prefetchedBuffers : schedule.packedBuffers).push_back(buffer);
  }
  return llvm::Error::success();
}

/// Whether the text has only what steps are spelled with, so that MLIR's parser, which recurses, goes no deeper than they are.
static bool mayBeSteps(StringRef text) {
  unsigned depth = 0;
  for (char character : text) {
    if (character == '<' && ++depth > 2)
      return false;
    if (character == '>' && depth-- == 0)
      return false;
    if (!llvm::isAlnum(character) && !llvm::isSpace(character) && !StringRef("<>#._=,").contains(character))
      return false;
  }
  return true;
}

StepsAttr parseSteps(StringRef text, MLIRContext *context) {
  if (!mayBeSteps(text))
    return nullptr;
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  return dyn_cast_or_null<StepsAttr>(parseAttribute(text, context));
}

std::vector<Replacement> replacementsOf(StepsAttr steps) {
  std::vector<Replacement> replacements;
  for (Attribute step : steps.getSteps()) {
    if (auto winograd = dyn_cast<WinogradAttr>(step))
      replacements.push_back(WinogradStep{winograd.getNest(), winograd.getOutputs(), winograd.getRows(), winograd.getColumns(),
                                          winograd.getChannels(), winograd.getDepth()});
    if (auto fuse = dyn_cast<FuseAttr>(step))
      replacements.push_back(FuseStep{fuse.getNest(), fuse.getLast(), fuse.getSize()});
    if (auto flatten = dyn_cast<FlattenAttr>(step))
      replacements.push_back(FlattenStep{flatten.getNest(), flatten.getDim()});
  }
  return replacements;
}

llvm::Error replaceNests(StepsAttr steps, TaskProgram &program) { return replaceNests(replacementsOf(steps), program); }

llvm::Expected<std::vector<NestSchedule>> fromSteps(StepsAttr steps, const TaskProgram &program, const Machine &machine) {
  std::vector<const LoopNest *> nests;
  std::vector<const NestGroup *> groups;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests) {
      nests.push_back(&nest);
      groups.push_back(&group);
    }
  std::vector<NestSchedule> schedules(nests.size());
  for (Attribute step : steps.getSteps()) {
    if (isa<WinogradAttr, FuseAttr, FlattenAttr>(step))
      continue;
    if (nestOf(step) >= nests.size())
      return llvm::createStringError("expected a nest below %zu, got %u", nests.size(), nestOf(step));
    if (llvm::Error error = addStep(step, program, schedules[nestOf(step)]))
      return std::move(error);
  }
  for (auto [number, schedule] : llvm::enumerate(schedules)) {
    if (std::string wrong = verify(*nests[number], schedule, groups[number]->rowDims, machine); !wrong.empty())
      return llvm::createStringError("nest %zu: %s", number, wrong.c_str());
    // Copies are made before the group: what a nest of it computes is not there yet.
    for (unsigned buffer : schedule.packedBuffers)
      if (groups[number]->writes(buffer))
        return llvm::createStringError("nest %zu: expected a buffer to pack that its group does not write, got buffer %u", number,
                                       buffer);
    for (const Node &node : nests[number]->nodes)
      if (node.kind == Node::Kind::Load && llvm::is_contained(schedule.packedBuffers, node.buffer) &&
          program.buffers[node.buffer].packable && !hasKnownRange(*nests[number], node))
        return llvm::createStringError("nest %zu: expected to pack all of a constant or nothing, got buffer %u", number, node.buffer);
  }
  return schedules;
}

} // namespace cameo::schedule
