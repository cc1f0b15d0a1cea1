// The part of a report about the machines that measured: devices of a farm, or several machines in one file.
#ifndef CAMEO_UTILS_CAMEO_PAGES_REPORTDEVICES_H
#define CAMEO_UTILS_CAMEO_PAGES_REPORTDEVICES_H

#include "autotune/Records/TuningRecord.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes a table of devices with their failures by kind, a chart of the number of measurements over time, and one of
/// the candidates per second of all devices. `seconds` are the times of `records` since the first one. Writes nothing
/// if the records name neither devices nor several machines.
void writeDevices(llvm::ArrayRef<autotune::TuningRecord> records, llvm::ArrayRef<double> seconds,
                  llvm::raw_ostream &os);

} // namespace cameo

#endif
