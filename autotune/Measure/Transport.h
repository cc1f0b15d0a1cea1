// How packages get to a machine and results come back: through a worker's input and output, in a bundle, or by anything
// else that carries bytes.
#ifndef CAMEO_AUTOTUNE_MEASURE_TRANSPORT_H
#define CAMEO_AUTOTUNE_MEASURE_TRANSPORT_H

#include "autotune/Measure/MeasurementPackage.h"
#include "autotune/Measure/MeasurementResult.h"

#include <functional>

namespace cameo::autotune {

class Transport {
public:
  virtual ~Transport();

  /// Sends a package on its way.
  virtual llvm::Error submit(const MeasurementPackage &package) = 0;
  /// What comes within `seconds`, at least one result, unless nothing comes. In any order, of any package, late or more
  /// than once. An error: what was submitted and has no result yet will have none.
  virtual llvm::Expected<std::vector<MeasurementResult>> receive(double seconds) = 0;

  /// Whether its machine has to be asked for what candidates need. Not the one that this program runs on: the compiler
  /// has looked at it.
  virtual bool leadsElsewhere() const { return true; }
  /// So many packages may be submitted before the first one has all its results.
  virtual unsigned packagesUnderWay() const { return 1; }
  /// Whether packages go to one of several machines, of which none may have seen what an earlier package brought along.
  virtual bool hasManyMachines() const { return false; }
  /// A result from before it was asked for.
  virtual std::optional<MeasurementResult> recall(uint64_t) { return std::nullopt; }
  /// Whether it was submitted by an earlier run, and has no result yet.
  virtual bool isUnderWay(uint64_t) const { return false; }
  /// Whether somebody else carries packages, while this program is not running. Nothing is received then: results are
  /// recalled by its next run.
  virtual bool isDeferred() const { return false; }
};

/// Submits `package` until every item has a result, which are in its order; again what gets none within `seconds`, a
/// few times. What the machine or the way to it fails at is an error of the items.
std::vector<MeasurementResult> exchange(Transport &transport, const MeasurementPackage &package, double seconds);

/// Packages of one item each, as many under way as the transport takes.
class PackageWindow {
public:
  using Take = std::function<void(MeasurementResult)>;

  explicit PackageWindow(Transport &transport) : transport(transport) {}
  /// Submits `package`, as exchange() does, and calls `take` with what becomes of it, before this returns or later.
  /// Returns when one more may be under way.
  void send(MeasurementPackage package, double seconds, Take take);
  /// Returns when none is.
  void finish() { receiveUntil(0); }
  /// Returns when one less is.
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
