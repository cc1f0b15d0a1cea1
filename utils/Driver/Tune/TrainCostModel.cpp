#include "utils/Driver/Tune/TrainCostModel.h"

#include "dialects/Files/RegularFile.h"
#include "utils/Driver/Link/EmbeddedFiles.h"
#include "utils/Driver/Link/OutputFiles.h"
#include "utils/Driver/Records/MatchRecords.h"

#include "llvm/Support/Format.h"
#include "llvm/TargetParser/Triple.h"

using namespace cameo;
using namespace cameo::autotune;

static void printLine(llvm::StringRef name, const TaskTraining &task, size_t width, llvm::raw_ostream &os) {
  os << llvm::left_justify(name, width) << llvm::format(" %7zu %8zu", task.samples, task.heldOut);
  if (task.heldOut < 2) {
    os << '\n';
    return;
  }
  os << llvm::format("   %8.3f %11.3f", task.trained.accuracy, task.trained.correlation);
  if (task.newTask)
    os << llvm::format("   %8.3f %11.3f", task.newTask->accuracy, task.newTask->correlation);
  else
    os << "          -           -";
  os << llvm::format("   %8.3f\n", task.analytic.accuracy);
}

static void print(const TrainingReport &report, llvm::ArrayRef<SearchTask> tasks, size_t recordCount,
                  llvm::raw_ostream &os) {
  llvm::StringMap<std::string> names;
  size_t width = sizeof("all tasks") - 1;
  for (const SearchTask &task : tasks) {
    names[task.key] = task::DefOp(task.def).getSymName().str() + "  " + task.key.substr(0, 8);
    width = std::max(width, names[task.key].size());
  }
  os << "Pairs of unseen candidates in the right order, and rank correlation: by the model; by one without the task in "
        "its training data; by the estimate only.\n";
  os << llvm::left_justify("task", width)
     << " samples held out   accuracy correlation   new task correlation   analytic\n";
  for (const TaskTraining &task : report.tasks)
    printLine(names[task.key], task, width, os);
  printLine("all tasks", report.all, width, os);
  os << recordCount - report.all.samples << " of " << recordCount
     << " records left out: measured in turns with the default schedule, disturbed, measured on other machines, of "
        "other tasks or other versions of them\n";
}

llvm::LogicalResult cameo::trainCostModel(const TrainOptions &options, llvm::ArrayRef<TuningRecord> records,
                                          llvm::raw_ostream &log) {
  std::shared_ptr<CostModel> model = createCostModel("trees", options.seed);
  if (!model)
    return reportFailure("this build cannot train cost models: XGBoost was missing when it was configured");
  ModelTasks all;
  if (llvm::failed(importModels(options.compile, options.models, all)))
    return llvm::failure();
  if (llvm::failed(loadCostModel(options.start, all.target(), *model)))
    return llvm::failure();
  auto createStarted = [&] {
    std::shared_ptr<CostModel> another = createCostModel("trees", options.seed);
    (void)loadCostModel(options.start, all.target(), *another);
    return another;
  };
  TrainingReport report = trainModel(all.tasks, outcomesOf(all, records), *model, options.seed, createStarted);
  if (report.all.samples == 0)
    return reportFailure("none of the records is of a task of these models, with " +
                         llvm::Twine(options.compile.threads) + " threads, on this target");
  print(report, all.tasks, records.size(), log);
  OutputFiles outputs;
  llvm::Expected<std::string> aside = outputs.reserve(options.output);
  if (!aside)
    return reportFailure(aside.takeError());
  if (std::string wrong = model->save(*aside); !wrong.empty())
    return reportFailure(options.output + wrong.substr(aside->size()));
  if (llvm::Error error = outputs.commit())
    return reportFailure(std::move(error));
  return llvm::success();
}

llvm::LogicalResult cameo::loadCostModel(llvm::StringRef from, const TargetInfo &target, CostModel &model) {
  if (from == "none")
    return llvm::success();
  std::string wrong;
  if (from == "shipped") {
    bool hasTrees = createCostModel("trees", 0) != nullptr;
    if (!hasTrees || llvm::Triple(target.triple).getArch() != llvm::Triple::x86_64)
      return llvm::success();
    llvm::StringRef bytes = embedded::costModelX86();
    wrong = model.loadBytes("the cost model for x86-64", {bytes.data(), bytes.size()});
  } else {
    constexpr uint64_t largestBytes = uint64_t(1) << 30;
    llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readRegularFile(from, largestBytes);
    if (!file)
      return reportFailure(file.takeError());
    llvm::StringRef bytes = (*file)->getBuffer();
    wrong = model.loadBytes(from.str(), {bytes.data(), bytes.size()});
  }
  return wrong.empty() ? llvm::success() : reportFailure(wrong);
}
