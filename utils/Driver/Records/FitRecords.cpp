#include "utils/Driver/Records/FitRecords.h"

#include "passes/Schedule/Nests/NestDigest.h"

using namespace cameo;
using namespace cameo::autotune;

std::string ForeignRecords::text() const {
  return std::to_string(count) + (count == 1 ? " record of " : " records of ") + std::to_string(reasons.size()) +
         (reasons.size() == 1 ? " task" : " tasks") + (count == 1 ? ", which was " : ", which were ") +
         (reasons.empty() ? "" : reasons.begin()->second);
}

ForeignRecords cameo::takeForeign(std::vector<TuningRecord> &records, const llvm::StringMap<std::string> &nests) {
  ForeignRecords foreign;
  llvm::erase_if(records, [&](const TuningRecord &record) {
    auto own = nests.find(record.task);
    if (own == nests.end() || own->second.empty())
      return false;
    std::string reason = foreignLoops(record, {schedule::stepsVersion, own->second});
    if (reason.empty())
      return false;
    foreign.reasons.try_emplace(record.task, std::move(reason));
    ++foreign.count;
    return true;
  });
  return foreign;
}

RecordTarget cameo::recordTarget(const TargetInfo &target, unsigned threads) {
  KernelProcessor processor = kernelProcessor(target);
  return {std::move(processor.triple), std::move(processor.cpu), std::move(processor.extensions), threads};
}
