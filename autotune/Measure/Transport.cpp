#include "autotune/Measure/Transport.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>

namespace cameo::autotune {

/// Number of times that a package is sent if results are lost.
constexpr unsigned mostSubmitted = 4;

Transport::~Transport() = default;

static MeasureError nothingCameBack() { return {ErrorKind::Unknown, "no result came back"}; }

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {

/// Collects the results of the items of a package.
class Expectation {
public:
  explicit Expectation(llvm::ArrayRef<cameo_package_item> items)
      : items(items), results(items.size()), isThere(items.size()), missing(items.size()) {
    for (auto [result, item] : llvm::zip_equal(results, items))
      result.id = item.id;
  }
  /// Results without a waiting item are ignored: they belong to another package, or are duplicates.
  void take(std::vector<MeasurementResult> arrived) {
    for (MeasurementResult &each : arrived)
      for (auto [number, result] : llvm::enumerate(results))
        if (result.id == each.id && !isThere[number] && !isOutdated(each, items[number])) {
          result = each;
          isThere[number] = true;
          --missing;
        }
  }
  bool isComplete() const { return missing == 0; }
  std::vector<MeasurementResult> finish(const MeasureError &error) {
    for (auto [number, result] : llvm::enumerate(results))
      if (!isThere[number])
        result.error = error;
    return std::move(results);
  }

private:
  /// An item that is sent with its reference never needs one, so the result is from an earlier package.
  static bool isOutdated(const MeasurementResult &result, const cameo_package_item &item) {
    return result.needsReference && item.reference != CAMEO_PACKAGE_NO_BLOB;
  }

  llvm::ArrayRef<cameo_package_item> items;
  std::vector<MeasurementResult> results;
  std::vector<bool> isThere;
  size_t missing;
};

} // namespace

std::vector<MeasurementResult> exchange(Transport &transport, const MeasurementPackage &package, double seconds) {
  Expectation expected(package.getItems());
  for (unsigned time = 0; time < mostSubmitted && !expected.isComplete(); ++time) {
    if (llvm::Error error = transport.submit(package))
      return expected.finish({ErrorKind::Unknown, llvm::toString(std::move(error))});
    double deadline = now() + seconds;
    for (double left = seconds; left > 0 && !expected.isComplete(); left = deadline - now()) {
      llvm::Expected<std::vector<MeasurementResult>> arrived = transport.receive(left);
      if (!arrived)
        return expected.finish({ErrorKind::Unknown, llvm::toString(arrived.takeError())});
      expected.take(std::move(*arrived));
    }
  }
  return expected.finish(nothingCameBack());
}

void PackageWindow::send(MeasurementPackage package, double seconds, Take take) {
  if (llvm::Error error = transport.submit(package)) {
    MeasurementResult result;
    result.id = package.getItems().front().id;
    result.error = {ErrorKind::Unknown, llvm::toString(std::move(error))};
    return take(std::move(result));
  }
  sent.push_back({std::move(package), seconds, now() + seconds, 1, std::move(take)});
  receiveUntil(transport.packagesUnderWay() - 1);
}

void PackageWindow::receiveUntil(size_t left) {
  while (sent.size() > left) {
    double first =
        llvm::min_element(sent, [](const Sent &a, const Sent &b) { return a.deadline < b.deadline; })->deadline;
    llvm::Expected<std::vector<MeasurementResult>> arrived = transport.receive(std::max(first - now(), 0.0));
    if (!arrived)
      return fail({ErrorKind::Unknown, llvm::toString(arrived.takeError())});
    for (MeasurementResult &result : *arrived) {
      auto found =
          llvm::find_if(sent, [&](const Sent &each) { return each.package.getItems().front().id == result.id; });
      // An unknown or duplicate result.
      if (found == sent.end())
        continue;
      Take take = std::move(found->take);
      sent.erase(found);
      take(std::move(result));
    }
    sendAgain();
  }
}

/// Sends the packages again that have no result within their time.
void PackageWindow::sendAgain() {
  std::vector<Sent> late;
  llvm::erase_if(sent, [&](Sent &each) {
    bool isLate = each.deadline <= now();
    if (isLate)
      late.push_back(std::move(each));
    return isLate;
  });
  for (Sent &each : late) {
    MeasurementResult result;
    result.id = each.package.getItems().front().id;
    result.error = nothingCameBack();
    if (each.times < mostSubmitted) {
      llvm::Error error = transport.submit(each.package);
      if (!error) {
        sent.push_back(std::move(each));
        sent.back().deadline = now() + sent.back().seconds;
        ++sent.back().times;
        continue;
      }
      result.error.message = llvm::toString(std::move(error));
    }
    each.take(std::move(result));
  }
}

void PackageWindow::fail(const MeasureError &error) {
  for (Sent &each : std::exchange(sent, {})) {
    MeasurementResult result;
    result.id = each.package.getItems().front().id;
    result.error = error;
    each.take(std::move(result));
  }
}

} // namespace cameo::autotune
