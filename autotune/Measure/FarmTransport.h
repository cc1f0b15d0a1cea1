// Many machines behind a server: packages go to cameo-farm, which gives them to whichever device of a key is free.
// Several are under way at a time.
#ifndef CAMEO_AUTOTUNE_MEASURE_FARMTRANSPORT_H
#define CAMEO_AUTOTUNE_MEASURE_FARMTRANSPORT_H

#include "autotune/Measure/LineChannel.h"
#include "autotune/Measure/Transport.h"

#include <map>

namespace cameo::autotune {

class FarmTransport : public Transport {
public:
  /// `arguments`: cameo-farm and what it is told. `parallel` packages are under way at a time.
  FarmTransport(std::vector<std::string> arguments, unsigned parallel)
      : parallel(parallel), channel(std::move(arguments), "cameo-farm") {}
  ~FarmTransport() override { channel.stop(/*patienceMs=*/5000); }

  llvm::Error submit(const MeasurementPackage &package) override;
  /// What no device runs has an error of its own, by the reason that one gave.
  llvm::Expected<std::vector<MeasurementResult>> receive(double seconds) override;
  unsigned packagesUnderWay() const override { return parallel; }
  bool hasManyMachines() const override { return true; }

  /// What machine a device is. An error says that there is none, or why it measures nothing of this tuner's.
  llvm::Expected<MachineFacts> describe(const cameo_package_target &target);

private:
  unsigned parallel;
  std::map<uint64_t, std::vector<uint64_t>> underWay; ///< ids of items, by the digest of their package
  LineChannel channel;
};

} // namespace cameo::autotune

#endif
