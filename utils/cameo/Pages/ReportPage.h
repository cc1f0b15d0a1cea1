// The page of `cameo report`.
#ifndef CAMEO_UTILS_CAMEO_PAGES_REPORTPAGE_H
#define CAMEO_UTILS_CAMEO_PAGES_REPORTPAGE_H

#include "autotune/Records/TuningRecord.h"
#include "utils/Driver/Inspect/ExplainRecords.h"
#include "utils/Driver/Run/MachinePeaks.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes HTML with its styles and drawings inside. `peaks` are those of one thread; `insights`, by task key, may be
/// empty: then the page says what is missing without the model. The same arguments give the same bytes.
void writeReport(llvm::ArrayRef<autotune::TuningRecord> records, const MachinePeaks &peaks,
                 const std::map<std::string, TaskInsight> &insights, llvm::raw_ostream &os);

} // namespace cameo

#endif
