#include "utils/cameo/Pages/ReportDevices.h"

#include "utils/cameo/Pages/Chart.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <tuple>

using namespace cameo;
using namespace cameo::autotune;

namespace {

struct DeviceStory {
  unsigned measured = 0, disturbed = 0;
  double first = 0, last = 0; // seconds
  std::map<ErrorKind, unsigned> failures;
  Series course; // number of measurements over time
};

/// By key, device and machine.
using Devices = std::map<std::tuple<std::string, std::string, std::string>, DeviceStory>;

} // namespace

static Devices findDevices(llvm::ArrayRef<TuningRecord> records, llvm::ArrayRef<double> seconds) {
  // Sorted by time, because clocks of devices differ and results arrive in any order.
  std::vector<std::pair<double, const TuningRecord *>>
      order; // of equal times in that of the records, which are of their addresses
  for (auto [record, at] : llvm::zip_equal(records, seconds))
    if (!record.machine.empty() || !record.device.empty())
      order.push_back({at, &record});
  llvm::sort(order);
  Devices devices;
  for (auto [at, record] : order) {
    DeviceStory &device = devices[{record->key, record->device, record->machine}];
    if (device.measured == 0)
      device.first = at;
    device.last = at;
    device.disturbed += record->isDisturbed;
    if (!record->isValid())
      ++device.failures[record->error.kind];
    device.course.points.push_back({at, ++device.measured});
  }
  return devices;
}

static void writeTable(const Devices &devices, llvm::raw_ostream &os) {
  std::map<ErrorKind, unsigned> kinds;
  for (const auto &[names, device] : devices)
    for (auto [kind, count] : device.failures)
      kinds[kind] += count;
  os << "<div class=\"wide\"><table>\n<tr><th>key</th><th>device</th><th>machine</th><th>measured</th><th>per "
        "second</th><th>disturbed</th>";
  for (auto [kind, count] : kinds)
    os << "<th>" << errorKindName(kind) << "</th>";
  os << "</tr>\n";
  for (const auto &[names, device] : devices) {
    const auto &[key, name, machine] = names;
    // The first measurement began before the first time.
    double span = device.last - device.first;
    os << llvm::formatv("<tr><td>{0}</td><td>{1}</td><td>{2}</td><td>{3}</td><td>{4}</td><td>{5}</td>", escapeHtml(key),
                        escapeHtml(name), escapeHtml(machine), device.measured,
                        span > 0 ? llvm::formatv("{0:F2}", (device.measured - 1) / span).str() : "-", device.disturbed);
    for (auto [kind, count] : kinds) {
      auto own = device.failures.find(kind);
      os << "<td>" << (own == device.failures.end() ? 0 : own->second) << "</td>";
    }
    os << "</tr>\n";
  }
  os << "</table></div>\n";
}

/// Returns the candidates per second in windows of equal length.
static Series rateOf(llvm::ArrayRef<TuningRecord> records, llvm::ArrayRef<double> seconds) {
  constexpr double windows = 60;
  double end = *llvm::max_element(seconds), window = std::max(1.0, end / windows);
  std::vector<unsigned> counts(static_cast<size_t>(end / window) + 1);
  for (auto [record, at] : llvm::zip_equal(records, seconds))
    if (!record.machine.empty() || !record.device.empty())
      ++counts[static_cast<size_t>(at / window)];
  Series rate;
  for (auto [number, count] : llvm::enumerate(counts))
    rate.points.push_back({(static_cast<double>(number) + 0.5) * window, count / window});
  return rate;
}

void cameo::writeDevices(llvm::ArrayRef<TuningRecord> records, llvm::ArrayRef<double> seconds, llvm::raw_ostream &os) {
  Devices devices = findDevices(records, seconds);
  bool isNamed = llvm::any_of(devices, [](const auto &each) { return !std::get<1>(each.first).empty(); });
  llvm::StringSet<> machines;
  for (const auto &[names, device] : devices)
    machines.insert(std::get<2>(names));
  if (!isNamed && machines.size() < 2)
    return;
  os << "<h2>Devices</h2>\n";
  if (machines.size() > 1)
    os << "<p>These are " << machines.size()
       << " kinds of machines: costs of one do not compare with those of another.</p>\n";
  writeTable(devices, os);
  std::vector<Series> courses;
  Series ends{{}, /*isLine=*/false};
  for (const auto &[names, device] : devices) {
    courses.push_back(device.course);
    ends.points.push_back(device.course.points.back());
    const std::string &name = std::get<1>(names);
    ends.names.push_back(llvm::formatv("{0}: {1} measured", name.empty() ? std::get<2>(names) : name, device.measured));
  }
  courses.push_back(std::move(ends));
  os << "<div class=\"charts\">\n";
  writeChart("Measured by each device, its name at the end of its line", courses, {"s"}, {"candidates"}, os);
  writeChart("By all devices", {rateOf(records, seconds)}, {"s"}, {"candidates per second"}, os);
  os << "</div>\n";
}
