#include "Status.h"

#include "Connection.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace cameo::farm {

namespace {

struct Device {
  std::map<std::string, std::string> fields; ///< as written by Agent::showState
  double seenSeconds = 0, busySeconds = 0;
  std::string state; ///< idle, busy, aside, gone
};

struct Queue {
  std::string key, priority;
  uint64_t waiting = 0, measuring = 0, again = 0;
};

} // namespace

static double number(const std::map<std::string, std::string> &fields, const char *name) {
  auto found = fields.find(name);
  return found == fields.end() ? 0 : std::atof(found->second.c_str());
}

static std::vector<Device> findDevices(Connection &connection) {
  std::vector<Device> devices;
  for (const auto &[name, value] : connection.getAll(devicesBucket)) {
    Device &device = devices.emplace_back();
    device.fields = readFields(value.text);
    device.seenSeconds = value.ageSeconds;
    bool isBusy = !device.fields["job"].empty(), isGone = value.ageSeconds > goneSeconds;
    device.state = isGone ? "gone" : !device.fields["aside"].empty() ? "aside" : isBusy ? "busy" : "idle";
    if (isBusy)
      device.busySeconds = number(device.fields, "busy_ms") / 1000 + device.seenSeconds;
  }
  return devices;
}

static Failure findQueues(Connection &connection, std::vector<Queue> &queues) {
  jsConsumerInfoList *list = nullptr;
  jsErrCode error = static_cast<jsErrCode>(0);
  natsStatus status = js_Consumers(&list, connection.getJetStream(), jobsStream, nullptr, &error);
  if (status != NATS_OK && status != NATS_NOT_FOUND)
    return connection.getServer() + ": " + textOf(status, error);
  for (int i = 0; list && i < list->Count; ++i)
    if (std::string name = list->List[i]->Name; name.rfind("key-", 0) == 0 || name.rfind("high-", 0) == 0)
      queues.push_back({name.substr(name.find('-') + 1), name.front() == 'h' ? "high" : "normal",
                        list->List[i]->NumPending, static_cast<uint64_t>(list->List[i]->NumAckPending),
                        static_cast<uint64_t>(list->List[i]->NumRedelivered)});
  jsConsumerInfoList_Destroy(list);
  // Every key has a queue with high priority, which is empty most of the time.
  queues.erase(std::remove_if(
                   queues.begin(), queues.end(),
                   [](const Queue &queue) { return queue.priority == "high" && queue.waiting + queue.measuring == 0; }),
               queues.end());
  return "";
}

static std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char each : text) {
    if (each == '"' || each == '\\')
      result += '\\';
    result += each < ' ' || each > '~' ? '?' : each;
  }
  return result + '"';
}

static void printJson(std::vector<Device> &devices, const std::vector<Queue> &queues) {
  std::printf("{\"devices\":[");
  for (size_t i = 0; i < devices.size(); ++i) {
    Device &each = devices[i];
    auto &fields = each.fields;
    std::printf(
        "%s{\"key\":%s,\"device\":%s,\"state\":\"%s\",\"machine\":%s,\"cpu\":%s,\"seen_s\":%.1f,\"tuner\":%s,\"job\":%"
        "s,\"busy_s\":%.1f,\"aside\":%s,\"sentinel_us\":%.1f,\"measured\":%.0f,\"failed\":%.0f,\"refused\":%.0f}",
        i ? "," : "", quoted(fields["key"]).c_str(), quoted(fields["device"]).c_str(), each.state.c_str(),
        quoted(fields["machine"]).c_str(), quoted(fields["cpu"]).c_str(), each.seenSeconds,
        quoted(fields["tuner"]).c_str(), quoted(fields["job"]).c_str(), each.busySeconds,
        quoted(fields["aside"]).c_str(), number(fields, "sentinel_us"), number(fields, "measured"),
        number(fields, "failed"), number(fields, "refused"));
  }
  std::printf("],\"queues\":[");
  for (size_t i = 0; i < queues.size(); ++i)
    std::printf("%s{\"key\":%s,\"priority\":\"%s\",\"waiting\":%llu,\"measuring\":%llu,\"redelivered\":%llu}",
                i ? "," : "", quoted(queues[i].key).c_str(), queues[i].priority.c_str(),
                static_cast<unsigned long long>(queues[i].waiting),
                static_cast<unsigned long long>(queues[i].measuring), static_cast<unsigned long long>(queues[i].again));
  std::printf("]}\n");
}

static void printTable(std::vector<Device> &devices, const std::vector<Queue> &queues) {
  std::printf("%-14s %-24s %-5s %9s %9s %7s %8s  %s\n", "key", "device", "state", "for", "measured", "failed",
              "refused", "what");
  for (Device &each : devices) {
    char time[32];
    std::snprintf(time, sizeof(time), "%.1f s", each.state == "gone" ? each.seenSeconds : each.busySeconds);
    std::string what = each.state == "aside"  ? each.fields["aside"]
                       : each.state == "idle" ? each.fields["cpu"]
                       : each.fields["job"].empty()
                           ? ""
                           : each.fields["job"].substr(0, 12) + " of tuner " + each.fields["tuner"].substr(0, 9);
    std::printf("%-14s %-24s %-5s %9s %9.0f %7.0f %8.0f  %s\n", each.fields["key"].c_str(),
                each.fields["device"].c_str(), each.state.c_str(), each.state == "idle" ? "" : time,
                number(each.fields, "measured"), number(each.fields, "failed"), number(each.fields, "refused"),
                what.c_str());
  }
  std::printf("\n%-14s %8s %10s %12s\n", "queue", "waiting", "measuring", "redelivered");
  for (const Queue &each : queues)
    std::printf("%-14s %8llu %10llu %12llu\n", (each.key + (each.priority == "high" ? " (high)" : "")).c_str(),
                static_cast<unsigned long long>(each.waiting), static_cast<unsigned long long>(each.measuring),
                static_cast<unsigned long long>(each.again));
}

int showStatus(const Arguments &arguments) {
  std::unique_ptr<Connection> connection;
  if (Failure failure = Connection::open(arguments, "cameo farm status", 3, connection); !failure.empty())
    return fail(failure);
  std::vector<Device> devices = findDevices(*connection);
  std::vector<Queue> queues;
  if (Failure failure = findQueues(*connection, queues); !failure.empty())
    return fail(failure);
  arguments.has("--json") ? printJson(devices, queues) : printTable(devices, queues);
  return 0;
}

} // namespace cameo::farm
