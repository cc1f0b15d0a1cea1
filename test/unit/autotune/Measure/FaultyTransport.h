// A faulty transport to a machine that computes results by a formula.
#ifndef CAMEO_TEST_UNIT_AUTOTUNE_MEASURE_FAULTYTRANSPORT_H
#define CAMEO_TEST_UNIT_AUTOTUNE_MEASURE_FAULTYTRANSPORT_H

#include "autotune/Measure/Transport.h"

#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <functional>
#include <random>

namespace cameo::autotune {

/// Repeats and reorders packages and results, and loses some of them.
class FaultyTransport : public Transport {
public:
  using Machine = std::function<MeasurementResult(const cameo_package_item &)>;
  FaultyTransport(Machine machine, unsigned seed, double loss)
      : machine(std::move(machine)), random(seed), loss(loss) {}

  llvm::Error submit(const MeasurementPackage &package) override {
    ++submitted;
    for (const cameo_package_item &item : package.getItems()) {
      MeasurementResult result = machine(item);
      for (int copy = 0; copy < 2; ++copy)
        if (std::uniform_real_distribution<>()(random) >= loss)
          underWay.push_back(result);
    }
    std::shuffle(underWay.begin(), underWay.end(), random);
    return llvm::Error::success();
  }
  /// Returns some of the pending results; others may arrive with the next package.
  llvm::Expected<std::vector<MeasurementResult>> receive(double) override {
    std::vector<MeasurementResult> arrived;
    for (size_t count = random() % 4; count > 0 && !underWay.empty(); --count) {
      arrived.push_back(underWay.front());
      underWay.pop_front();
    }
    return arrived;
  }

  unsigned submitted = 0;

private:
  Machine machine;
  std::mt19937 random;
  double loss;
  std::deque<MeasurementResult> underWay;
};

} // namespace cameo::autotune

#endif
