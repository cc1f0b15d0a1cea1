// A transport that writes packages as bundles: programs in a folder, which a user runs on another machine. A bundle
// measures its candidates and prints the results. The user puts these into the folder before the tuner runs again.
#ifndef CAMEO_AUTOTUNE_MEASURE_BUNDLETRANSPORT_H
#define CAMEO_AUTOTUNE_MEASURE_BUNDLETRANSPORT_H

#include "autotune/Measure/Transport.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace cameo::autotune {

class BundleTransport : public Transport {
public:
  /// Reads the bundles of `folder`, which need not exist, and their results. `worker` is the path of a worker for the
  /// target, which is the start of each bundle. Fails if a file is no bundle, or if its results are of another bundle
  /// or incomplete; the error names the file.
  static llvm::Expected<std::unique_ptr<BundleTransport>> open(llvm::StringRef folder, llvm::StringRef worker);

  /// Writes a bundle.
  llvm::Error submit(const MeasurementPackage &package) override;
  /// Returns nothing.
  llvm::Expected<std::vector<MeasurementResult>> receive(double seconds) override;
  std::optional<MeasurementResult> recall(uint64_t id) override;
  bool isUnderWay(uint64_t id) const override { return waitingIds.contains(id); }
  bool isDeferred() const override { return true; }

  /// Returns the path of the next bundle to run, or "".
  llvm::StringRef nextBundle() const { return waiting.empty() ? llvm::StringRef() : llvm::StringRef(waiting.front()); }
  /// Whether that bundle was written in this run.
  bool isNew() const { return hasWritten; }
  /// Returns the machine of the latest results; its fields are empty if there are none.
  const MachineFacts &getMachine() const { return machine; }

private:
  BundleTransport(llvm::StringRef folder, llvm::StringRef worker) : folder(folder), worker(worker) {}
  std::string pathOf(unsigned number) const;
  llvm::Error readBundle(unsigned number);
  llvm::Error readResults(llvm::StringRef path, const PackageContents &contents);

  std::string folder, worker;
  unsigned last = 0;                ///< number of the last bundle
  std::vector<std::string> waiting; ///< paths of bundles without results
  std::set<uint64_t> waitingIds;    ///< ids of their items
  std::map<uint64_t, MeasurementResult> results;
  MachineFacts machine;
  bool hasWritten = false;
};

} // namespace cameo::autotune

#endif
