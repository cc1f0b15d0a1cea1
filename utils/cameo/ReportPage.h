// The page of `cameo report`.
#ifndef CAMEO_UTILS_CAMEO_REPORTPAGE_H
#define CAMEO_UTILS_CAMEO_REPORTPAGE_H

#include "autotune/Records/TuningRecord.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes HTML with its styles and drawings inside. `peakGflops`: what one thread of the machine reaches at best. The same arguments give
/// the same bytes.
void writeReport(llvm::ArrayRef<autotune::TuningRecord> records, double peakGflops, llvm::raw_ostream &os);

} // namespace cameo

#endif
