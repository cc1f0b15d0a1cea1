#include "MeasureBroker.h"

#include "Carry.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <thread>

namespace cameo::farm {

namespace {

/// The parameters and the results of a measurement.
struct Simulation {
  std::string key;
  SigningKey signer;
  long packages = 2000, bytes = 100000, agents = 2, tuners = 2, window = 64, milliseconds = 0;
  std::atomic<long> sent = 0;
  std::atomic<bool> isDone = false;
  std::mutex guard; ///< guards `failure` and `latencies`
  Failure failure;
  std::vector<double> latencies; ///< seconds from sending a package to its result

  Failure configure(const Arguments &arguments);
  void beAgent(Connection &connection);
  void beTuner(Connection &connection);
  void fail(const Failure &what) {
    std::lock_guard lock(guard);
    failure = failure.empty() ? what : failure;
    isDone = true;
  }
};

} // namespace

Failure Simulation::configure(const Arguments &arguments) {
  for (const Failure &each :
       {arguments.get("--packages", 1, 10000000, packages), arguments.get("--bytes", 1000, 100000000, bytes),
        arguments.get("--agents", 1, 2000, agents), arguments.get("--tuners", 1, 1000, tuners),
        arguments.get("--parallel", 1, 4096, window), arguments.get("--milliseconds", 0, 100000, milliseconds)})
    if (!each.empty())
      return each;
  // With a given key, several of these processes share devices.
  key = arguments.get("--key", "broker-" + newTuner().substr(1, 8));
  Failure unread = SigningKey::read(arguments.get("--signing-key", defaultKeyPath()), signer);
  return unread.empty() ? "" : "--signing-key: " + unread;
}

/// Does the same as an agent, except that it sleeps instead of measuring.
void Simulation::beAgent(Connection &connection) {
  Subscription subscription;
  TrustedKeys trusted;
  trusted.add(signer.getPublicKey());
  while (!isDone) {
    Message message = connection.fetch(subscription, jobsStream, jobsConsumerOf(key), 1000);
    Envelope envelope;
    std::string package;
    if (!message ||
        !Envelope::open({natsMsg_GetData(message.get()), static_cast<size_t>(natsMsg_GetDataLength(message.get()))},
                        envelope)
             .empty())
      continue;
    auto get = [&](const Digest &digest, uint64_t count, std::string &part) {
      return connection.getBlob(digest, count, part);
    };
    if (!envelope.check(&trusted).empty() || !envelope.assemble(get, package).empty())
      continue;
    for (int64_t end = steadyNow() + milliseconds; steadyNow() < end;
         nats_Sleep(std::min<int64_t>(end - steadyNow(), 2500)))
      natsMsg_InProgress(message.get(), nullptr);
    ResultMessage result{envelope.getJob(), "none", Outcome::Measured, "", std::string(800, 'x') + '\n'};
    connection.publish("cameo.results." + envelope.getTuner(), result.write(), envelope.getTuner() + "." + result.job);
    natsMsg_Ack(message.get(), nullptr);
  }
}

/// Sends packages so that `window` of them are in progress, until all are sent.
void Simulation::beTuner(Connection &connection) {
  std::string tuner = newTuner(), package(static_cast<size_t>(bytes), 0), message;
  if (Failure each = connection.addConsumer(resultsStream, resultsConsumerOf(tuner)); !each.empty())
    return fail(each);
  std::mt19937_64 random(std::hash<std::string>()(tuner));
  for (size_t at = 0; at + 8 <= package.size(); at += 8) {
    uint64_t word = random();
    std::memcpy(package.data() + at, &word, sizeof(word));
  }
  auto put = [&](const Digest &digest, std::string_view part) { return connection.putBlob(digest, part); };
  std::map<std::string, int64_t> underWay; // time of sending, by job
  Subscription subscription;
  for (int64_t last = steadyNow(); !isDone;) {
    while (!isDone && underWay.size() < static_cast<size_t>(window) && sent < packages) {
      long number = sent++;
      std::memcpy(package.data(), &number, sizeof(number));
      Failure each = seal(package, tuner, key, &signer, connection.mostBytes(), put, message);
      std::string job = hexOf(digestOf(package).data(), 16);
      underWay[job] = steadyNow();
      if (each.empty())
        each = connection.publish(jobsSubjectOf(key, tuner), message, tuner + "." + job);
      if (!each.empty())
        return fail(each);
    }
    if (underWay.empty() && sent >= packages)
      break;
    Message arrived = connection.fetch(subscription, resultsStream, resultsConsumerOf(tuner), 1000);
    ResultMessage result;
    if (arrived &&
        ResultMessage::read({natsMsg_GetData(arrived.get()), static_cast<size_t>(natsMsg_GetDataLength(arrived.get()))},
                            result)) {
      natsMsg_Ack(arrived.get(), nullptr);
      last = steadyNow();
      if (auto found = underWay.find(result.job); found != underWay.end()) {
        std::lock_guard lock(guard);
        latencies.push_back(static_cast<double>(last - found->second) * 1e-3);
        underWay.erase(found);
      }
    }
    if (steadyNow() - last > 60000 + milliseconds)
      return fail("no result came within a minute");
  }
  js_DeleteConsumer(connection.getJetStream(), resultsStream, tuner.c_str(), nullptr, nullptr);
}

int measureBroker(const Arguments &arguments) {
  Simulation simulation;
  Failure failure = simulation.configure(arguments);
  std::vector<std::unique_ptr<Connection>> connections(static_cast<size_t>(simulation.agents + simulation.tuners));
  for (std::unique_ptr<Connection> &each : connections)
    if (failure.empty())
      failure = Connection::open(arguments, "cameo farm measure-broker", 5, each);
  if (failure.empty())
    failure = connections[0]->addConsumer(jobsStream, jobsConsumerOf(simulation.key));
  if (!failure.empty())
    return fail(failure);
  std::vector<std::thread> agents, tuners;
  for (size_t i = 0; i < static_cast<size_t>(simulation.agents); ++i)
    agents.emplace_back([&, i] { simulation.beAgent(*connections[i]); });
  nats_Sleep(1000); // until all of them wait for packages
  int64_t begin = steadyNow();
  for (size_t i = static_cast<size_t>(simulation.agents); i < connections.size(); ++i)
    tuners.emplace_back([&, i] { simulation.beTuner(*connections[i]); });
  for (std::thread &each : tuners)
    each.join();
  double seconds = static_cast<double>(steadyNow() - begin) * 1e-3;
  simulation.isDone = true;
  for (std::thread &each : agents)
    each.join();
  if (!arguments.has("--key"))
    js_DeleteConsumer(connections[0]->getJetStream(), jobsStream, jobsConsumerOf(simulation.key).name.c_str(), nullptr,
                      nullptr);
  std::vector<double> &latencies = simulation.latencies;
  if (!simulation.failure.empty() || latencies.empty())
    return fail(simulation.failure.empty() ? "no result came" : simulation.failure);
  std::sort(latencies.begin(), latencies.end());
  std::printf("%zu packages of %ld bytes in %.2f s: %.0f per second; %.3f s from sending to the result (median), %.3f "
              "s (95 of 100)\n",
              latencies.size(), simulation.bytes, seconds, static_cast<double>(latencies.size()) / seconds,
              latencies[latencies.size() / 2], latencies[latencies.size() * 95 / 100]);
  return 0;
}

} // namespace cameo::farm
