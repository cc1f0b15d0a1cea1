// Writes the page of `cameo report` about records.
#ifndef CAMEO_UTILS_CAMEO_PAGES_REPORTPAGE_H
#define CAMEO_UTILS_CAMEO_PAGES_REPORTPAGE_H

#include "autotune/Records/TuningRecord.h"
#include "utils/Driver/Inspect/ExplainRecords.h"
#include "utils/Driver/Run/MachinePeaks.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes HTML that contains its styles and charts. `peaks` are those of one thread. `insights` are by task key; if
/// they are empty, the page says what it lacks without the model. The output depends only on the arguments.
void writeReport(llvm::ArrayRef<autotune::TuningRecord> records, const MachinePeaks &peaks,
                 const std::map<std::string, TaskInsight> &insights, llvm::raw_ostream &os);

} // namespace cameo

#endif
