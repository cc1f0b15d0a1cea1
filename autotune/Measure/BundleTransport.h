// Packages that somebody carries to a machine: programs in a folder, which measure what they hold and print the
// results. These lie beside them when the tuner runs again.
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
  /// Reads the bundles of `folder`, which need not exist, and their results. `worker` is a program for the target that
  /// bundles begin with. An error names the file that is no bundle, or whose results are of another one or not whole.
  static llvm::Expected<std::unique_ptr<BundleTransport>> open(llvm::StringRef folder, llvm::StringRef worker);

  /// Writes a bundle.
  llvm::Error submit(const MeasurementPackage &package) override;
  /// Nothing.
  llvm::Expected<std::vector<MeasurementResult>> receive(double seconds) override;
  std::optional<MeasurementResult> recall(uint64_t id) override;
  bool isUnderWay(uint64_t id) const override { return waitingIds.contains(id); }
  bool isDeferred() const override { return true; }

  /// The bundle that has to run next; empty: none.
  llvm::StringRef nextBundle() const { return waiting.empty() ? llvm::StringRef() : llvm::StringRef(waiting.front()); }
  /// Whether that was written in this run.
  bool isNew() const { return hasWritten; }
  /// As the latest results have it; nothing is known before there are some.
  const MachineFacts &getMachine() const { return machine; }

private:
  BundleTransport(llvm::StringRef folder, llvm::StringRef worker) : folder(folder), worker(worker) {}
  std::string pathOf(unsigned number) const;
  llvm::Error readBundle(unsigned number);
  llvm::Error readResults(llvm::StringRef path, const PackageContents &contents);

  std::string folder, worker;
  unsigned last = 0;                ///< number of a bundle
  std::vector<std::string> waiting; ///< paths of bundles without results
  std::set<uint64_t> waitingIds;    ///< of their items
  std::map<uint64_t, MeasurementResult> results;
  MachineFacts machine;
  bool hasWritten = false;
};

} // namespace cameo::autotune

#endif
