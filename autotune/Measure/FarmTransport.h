// A transport to many machines behind a server: packages go to cameo-farm, which sends each to a free device with the
// required key. Several packages may be in flight.
#ifndef CAMEO_AUTOTUNE_MEASURE_FARMTRANSPORT_H
#define CAMEO_AUTOTUNE_MEASURE_FARMTRANSPORT_H

#include "autotune/Measure/LineChannel.h"
#include "autotune/Measure/Transport.h"

#include <map>

namespace cameo::autotune {

class FarmTransport : public Transport {
public:
  /// `arguments` is the command line of cameo-farm. At most `parallel` packages are in flight.
  FarmTransport(std::vector<std::string> arguments, unsigned parallel)
      : parallel(parallel), channel(std::move(arguments), "cameo-farm") {}
  ~FarmTransport() override { channel.stop(/*patienceMs=*/5000); }

  llvm::Error submit(const MeasurementPackage &package) override;
  /// If no device can run a package, its items fail with the reason that a device gave.
  llvm::Expected<std::vector<MeasurementResult>> receive(double seconds) override;
  unsigned packagesUnderWay() const override { return parallel; }
  bool hasManyMachines() const override { return true; }

  /// Returns the facts about a device. Fails if there is none, or if it cannot measure candidates of this tuner; the
  /// error holds the reason.
  llvm::Expected<MachineFacts> describe(const cameo_package_target &target);

private:
  unsigned parallel;
  std::map<uint64_t, std::vector<uint64_t>> underWay; ///< ids of items, by the digest of their package
  LineChannel channel;
};

} // namespace cameo::autotune

#endif
