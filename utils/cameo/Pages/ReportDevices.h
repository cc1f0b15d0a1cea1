// The part of a report about the machines that measured: those of a farm, or several whose records one file has.
#ifndef CAMEO_UTILS_CAMEO_PAGES_REPORTDEVICES_H
#define CAMEO_UTILS_CAMEO_PAGES_REPORTDEVICES_H

#include "autotune/Records/TuningRecord.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// A table of devices with their failures by kind, what each had measured at which time, and candidates per second of
/// all. `seconds` are the times of `records`, since the first one. Writes nothing where neither devices nor several
/// machines are named.
void writeDevices(llvm::ArrayRef<autotune::TuningRecord> records, llvm::ArrayRef<double> seconds,
                  llvm::raw_ostream &os);

} // namespace cameo

#endif
