#include "utils/Driver/Records/AttachVariants.h"

#include "dialects/Task/Variants.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "utils/Driver/Records/AttachRecords.h"
#include "utils/Driver/Tune/TuneSizes.h"

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// A schedule, and the ranges of sizes that it is used for.
struct Bucket {
  BestAnswer answer;
  std::vector<SizeRange> ranges;
};

} // namespace

/// Whether `next` begins where `range` ends.
static bool continues(llvm::ArrayRef<SizeRange> range, llvm::ArrayRef<SizeRange> next) {
  return range.size() == 1 && next.size() == 1 && range.front().name == next.front().name && range.front().most &&
         *range.front().most + 1 == next.front().least;
}

static std::vector<Bucket> bucketsOf(llvm::ArrayRef<BestAnswer> ranged, llvm::StringRef forAll) {
  std::vector<Bucket> buckets;
  for (const BestAnswer &answer : ranged) {
    const TuningRecord &record = *answer.record;
    if (record.schedule == forAll)
      continue;
    if (!buckets.empty() && buckets.back().answer.record->schedule == record.schedule &&
        continues(buckets.back().ranges, record.ranges))
      buckets.back().ranges.front().most = record.ranges.front().most;
    else
      buckets.push_back({answer, record.ranges});
  }
  return buckets;
}

/// Returns `ranges` with the names of the task's dimensions; empty if the task does not have these dimensions.
static llvm::SmallVector<task::SizeRange, 1> rangesOf(task::DefOp def, llvm::ArrayRef<SizeRange> ranges) {
  llvm::SetVector<mlir::StringAttr> names = sizeNamesOf(def);
  llvm::SmallVector<task::SizeRange, 1> found;
  for (const SizeRange &range : ranges) {
    bool isOnlyOne = names.size() == 1 && ranges.size() == 1;
    const auto *name =
        isOnlyOne ? names.begin() : llvm::find_if(names, [&](mlir::StringAttr each) { return each == range.name; });
    if (name == names.end())
      return {};
    found.push_back({Dim::named(*name).getExpr(), range.least, range.most});
  }
  return found;
}

std::vector<std::string> cameo::attachVariants(task::DefOp def, const schedule::TaskProgram &program,
                                               llvm::ArrayRef<BestAnswer> ranged, llvm::StringRef forAll,
                                               const Machine &machine) {
  std::vector<std::string> reasons;
  mlir::OpBuilder builder(def.getContext());
  builder.setInsertionPointAfter(def);
  mlir::SymbolTable symbols(def->getParentOp());
  for (const auto &[answer, ranges] : bucketsOf(ranged, forAll)) {
    auto leaveOut = [&, &own = ranges](const llvm::Twine &reason) {
      reasons.push_back(("the record for " + rangesText(own) + " is left out: " + reason).str());
    };
    llvm::SmallVector<task::SizeRange, 1> sizes = rangesOf(def, ranges);
    if (sizes.empty()) {
      leaveOut("the task has no such size");
      continue;
    }
    schedule::StepsAttr steps = schedule::parseSteps(answer.record->schedule, def.getContext());
    if (!steps) {
      leaveOut("its schedule cannot be parsed by this version");
      continue;
    }
    if (llvm::Error error = schedule::applySteps(steps, program, machine).takeError()) {
      leaveOut("its schedule cannot be applied: " + llvm::toString(std::move(error)));
      continue;
    }
    auto variant = mlir::cast<task::DefOp>(builder.clone(*def));
    variant.setSymName((def.getSymName() + ".v" + llvm::Twine(sizes.front().least)).str());
    symbols.insert(variant, builder.getInsertionPoint());
    task::Variant stated{mlir::FlatSymbolRefAttr::get(def.getSymNameAttr()), std::move(sizes)};
    task::setVariant(variant, stated);
    variant->setAttr("schedule", steps);
    variant->setAttr("schedule_from",
                     builder.getStringAttr("where " + task::rangesText(stated) + ": " + originOf(answer)));
  }
  return reasons;
}
