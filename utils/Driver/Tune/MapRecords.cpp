#include "utils/Driver/Tune/MapRecords.h"

#include "passes/Schedule/Nests/Build/BuildNests.h"
#include "passes/Schedule/Steps/MapSteps.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

namespace {

/// Maps the records of one task.
class TaskMapper {
public:
  TaskMapper(const SearchTask &task, schedule::TaskProgram program) : task(task), program(std::move(program)) {}

  void map(TuningRecord &record);
  /// Returns "2 records mapped, 1 cannot be: REASON"; empty if no record had to be mapped.
  std::string text() const;

private:
  llvm::Expected<std::string> stepsFor(const TuningRecord &record) const;

  const SearchTask &task;
  schedule::TaskProgram program;
  unsigned confirmed = 0, mapped = 0;
  std::map<std::string, unsigned> reasons; ///< number of records that cannot be mapped, by reason
};

} // namespace

/// Returns the steps of `record` for the current nests of the task. Fails if they cannot be mapped.
llvm::Expected<std::string> TaskMapper::stepsFor(const TuningRecord &record) const {
  schedule::StepsAttr steps = schedule::parseSteps(record.schedule, task.def->getContext());
  if (!steps)
    return llvm::createStringError("its schedule cannot be parsed by this version");
  if (record.nests.empty()) {
    if (llvm::Error error = schedule::applySteps(steps, program, task.machine, task.gpu).takeError())
      return std::move(error);
    return record.schedule;
  }
  std::string reason = foreignLoops(record, {schedule::stepsVersion, task.nests.all});
  if (record.steps != schedule::stepsVersion || record.eachNest.empty())
    return llvm::createStringError("it was " + reason);
  llvm::Expected<schedule::StepsAttr> moved =
      schedule::mapSteps(steps, record.eachNest, program, task.machine, task.gpu);
  if (!moved)
    return moved.takeError();
  std::string text;
  llvm::raw_string_ostream(text) << *moved;
  return text;
}

void TaskMapper::map(TuningRecord &record) {
  if (!record.nests.empty() && foreignLoops(record, {schedule::stepsVersion, task.nests.all}).empty())
    return;
  llvm::Expected<std::string> steps = stepsFor(record);
  if (!steps) {
    ++reasons[llvm::toString(steps.takeError())];
    return;
  }
  ++(record.nests.empty() ? confirmed : mapped);
  record.schedule = std::move(*steps);
  record.steps = schedule::stepsVersion;
  record.nests = task.nests.all;
  record.eachNest = task.nests.each;
}

std::string TaskMapper::text() const {
  auto counted = [](unsigned count) { return std::to_string(count) + (count == 1 ? " record" : " records"); };
  llvm::SmallVector<std::string> parts;
  if (confirmed > 0)
    parts.push_back(counted(confirmed) + " did not name " + (confirmed == 1 ? "its" : "their") +
                    " loop nests, and now " + (confirmed == 1 ? "names" : "name") + " the current ones");
  if (mapped > 0)
    parts.push_back(counted(mapped) + (mapped == 1 ? " was made for its" : " were made for their") +
                    " loop nests in another order, and now " + (mapped == 1 ? "has" : "have") + " the current one");
  for (const auto &[reason, count] : reasons)
    parts.push_back(counted(count) + " cannot be mapped: " + reason);
  return llvm::join(parts, "; ");
}

void cameo::mapRecords(llvm::ArrayRef<SessionTask> tasks, std::vector<TuningRecord> &records, llvm::raw_ostream &log) {
  llvm::StringMap<std::vector<TuningRecord *>> byTask;
  for (TuningRecord &record : records)
    byTask[record.task].push_back(&record);
  for (const SessionTask &each : tasks) {
    auto own = byTask.find(each.task.key);
    if (own == byTask.end())
      continue;
    llvm::Expected<schedule::TaskProgram> program = schedule::buildNests(each.task.def, each.task.constantArguments);
    if (!program) {
      llvm::consumeError(program.takeError());
      continue;
    }
    TaskMapper mapper(each.task, std::move(*program));
    for (TuningRecord *record : own->second)
      mapper.map(*record);
    if (std::string text = mapper.text(); !text.empty())
      log << task::DefOp(each.task.def).getSymName() << "  key " << each.task.key << ": " << text << '\n';
  }
}
