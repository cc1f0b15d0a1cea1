#include "Peers.h"

#include "MachineFacts.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace cameo::farm {

/// Number of last sentinels that count, and the minimum for a median.
constexpr size_t mostSentinels = 32, fewSentinels = 6;
constexpr int64_t comparedMilliseconds = 10000;
/// Number of questions, each of which a random peer answers, and the number of answers that must agree.
constexpr int asked = 9;
constexpr size_t fewPeers = 2;
/// Devices of one kind differ by less. A larger ratio means thermal throttling, another clock rate, other load, or
/// another kind of machine.
constexpr double mostRatio = 1.25;

static double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

Failure Peers::join(Connection &own, const std::string &key, const std::string &name) {
  connection = &own;
  device = name;
  subject = "cameo.sentinel." + key;
  natsSubscription *made = nullptr;
  // NATS delivers each question to one member of the group.
  natsStatus status = natsConnection_QueueSubscribe(&made, own.get(), subject.c_str(), "peers", answer, this);
  questions.reset(made);
  return status == NATS_OK ? "" : own.getServer() + ": " + textOf(status);
}

void Peers::answer(natsConnection *connection, natsSubscription *, natsMsg *message, void *self) {
  const Peers &peers = *static_cast<Peers *>(self);
  Message own(message);
  if (natsMsg_GetReply(message))
    natsConnection_PublishString(connection, natsMsg_GetReply(message),
                                 (peers.device + " " + std::to_string(peers.sentinel * 1e6)).c_str());
}

void Peers::add(const std::string &lines) {
  for (size_t at = 0; (at = lines.find("\"sentinel\":", at)) != std::string::npos; ++at)
    if (double seconds = std::atof(fieldOf(std::string_view(lines).substr(at), "sentinel").c_str()); seconds > 0)
      sentinels.push_back(seconds);
  while (sentinels.size() > mostSentinels)
    sentinels.pop_front();
  sentinel = sentinels.size() < fewSentinels ? 0 : medianOf({sentinels.begin(), sentinels.end()});
}

std::string Peers::compare() {
  if (sentinel == 0 || steadyNow() - compared < comparedMilliseconds)
    return "";
  compared = steadyNow();
  std::map<std::string, double> others;
  for (int i = 0; i < asked; ++i) {
    natsMsg *reply = nullptr;
    if (natsConnection_RequestString(&reply, connection->get(), subject.c_str(), "", 200) != NATS_OK)
      break;
    Message own(reply);
    std::string text(natsMsg_GetData(reply), static_cast<size_t>(natsMsg_GetDataLength(reply)));
    size_t blank = text.find(' ');
    double seconds = blank == std::string::npos ? 0 : std::atof(text.c_str() + blank) * 1e-6;
    if (seconds > 0 && text.substr(0, blank) != device)
      others[text.substr(0, blank)] = seconds;
  }
  if (others.size() < fewPeers)
    return "";
  std::vector<double> values;
  for (const auto &[name, seconds] : others)
    values.push_back(seconds);
  double ratio = sentinel / medianOf(values);
  if (ratio < mostRatio && ratio > 1 / mostRatio)
    return "";
  char text[128];
  std::snprintf(text, sizeof(text), "the sentinel takes %.2f times as long as on %zu other devices of its key", ratio,
                others.size());
  // Start anew, because the cause may be temporary.
  sentinels.clear();
  sentinel = 0;
  return text;
}

} // namespace cameo::farm
