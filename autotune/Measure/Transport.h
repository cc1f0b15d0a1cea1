// A transport sends packages to a machine and receives the results: through a worker's input and output, in a bundle,
// or by any other way that carries bytes.
#ifndef CAMEO_AUTOTUNE_MEASURE_TRANSPORT_H
#define CAMEO_AUTOTUNE_MEASURE_TRANSPORT_H

#include "autotune/Measure/MeasurementPackage.h"
#include "autotune/Measure/MeasurementResult.h"

#include <functional>

namespace cameo::autotune {

class Transport {
public:
  virtual ~Transport();

  /// Sends a package.
  virtual llvm::Error submit(const MeasurementPackage &package) = 0;
  /// Returns the results that arrive within `seconds`; waits for at least one. Results may be of any package, in any
  /// order, late, and repeated. After an error, packages that are in flight will have no results.
  virtual llvm::Expected<std::vector<MeasurementResult>> receive(double seconds) = 0;

  /// Whether the machine must be asked if it supports the candidates. Not needed for the local machine, because the
  /// compiler has detected its features.
  virtual bool leadsElsewhere() const { return true; }
  /// Number of packages that may be in flight.
  virtual unsigned packagesUnderWay() const { return 1; }
  /// Whether packages go to any of several machines. A package must then not rely on the contents of an earlier one.
  virtual bool hasManyMachines() const { return false; }
  /// Returns a result that is known before the measurement is requested.
  virtual std::optional<MeasurementResult> recall(uint64_t) { return std::nullopt; }
  /// Whether an earlier run submitted the measurement, and it has no result yet.
  virtual bool isUnderWay(uint64_t) const { return false; }
  /// Whether a user carries the packages while this program is not running. Nothing is received then; the next run
  /// recalls the results.
  virtual bool isDeferred() const { return false; }
};

/// Submits `package` and returns the results in the order of its items. Submits items without a result after `seconds`
/// again, a few times. A failure of the machine or the transport becomes an error of the items.
std::vector<MeasurementResult> exchange(Transport &transport, const MeasurementPackage &package, double seconds);

/// Sends packages of one item each, as many in flight as the transport allows.
class PackageWindow {
public:
  using Take = std::function<void(MeasurementResult)>;

  explicit PackageWindow(Transport &transport) : transport(transport) {}
  /// Submits `package` like exchange(), and calls `take` with its result, during this call or later. Returns when there
  /// is room for one more package.
  void send(MeasurementPackage package, double seconds, Take take);
  /// Waits until no package is in flight.
  void finish() { receiveUntil(0); }
  /// Waits until one package less is in flight.
  void finishOne() { receiveUntil(sent.empty() ? 0 : sent.size() - 1); }

private:
  struct Sent {
    MeasurementPackage package;
    double seconds, deadline;
    unsigned times;
    Take take;
  };

  void receiveUntil(size_t left);
  void sendAgain();
  void fail(const MeasureError &error);

  Transport &transport;
  std::vector<Sent> sent;
};

} // namespace cameo::autotune

#endif
