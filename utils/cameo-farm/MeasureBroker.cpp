#include "MeasureBroker.h"

#include "Carry.h"

#include <cstdio>
#include <cstring>
#include <random>
#include <thread>

namespace cameo::farm {

/// All that an agent does but for measuring: takes signed packages, checks and assembles them, answers, acknowledges.
static void answerAll(Connection &connection, const std::string &key, const SigningKey &signer, const std::atomic<bool> &isDone) {
  Subscription subscription;
  TrustedKeys trusted;
  trusted.add(signer.getPublicKey());
  while (!isDone) {
    Message message = connection.fetch(subscription, jobsStream, jobsConsumerOf(key), 300);
    Envelope envelope;
    std::string package;
    if (!message || !Envelope::open({natsMsg_GetData(message.get()), static_cast<size_t>(natsMsg_GetDataLength(message.get()))}, envelope).empty())
      continue;
    auto get = [&](const Digest &digest, uint64_t count, std::string &part) { return connection.getBlob(digest, count, part); };
    if (!connection.isWaiting(envelope.getTuner()) || !envelope.check(&trusted).empty() || !envelope.assemble(get, package).empty())
      continue;
    ResultMessage result{envelope.getJob(), "none", Outcome::Measured, "", std::string(800, 'x') + '\n'};
    connection.publish("cameo.results." + envelope.getTuner(), result.write(), envelope.getTuner() + "." + result.job);
    natsMsg_Ack(message.get(), nullptr);
  }
}

int measureBroker(const Arguments &arguments) {
  long packages = 2000, bytes = 100000, agents = 2;
  for (const Failure &failure : {arguments.get("--packages", 1, 1000000, packages), arguments.get("--bytes", 1000, 100000000, bytes), arguments.get("--parallel", 1, 64, agents)})
    if (!failure.empty())
      return fail(failure);
  SigningKey signer;
  if (Failure failure = SigningKey::read(arguments.get("--signing-key", defaultKeyPath()), signer); !failure.empty())
    return fail("--signing-key: " + failure);
  std::string tuner = newTuner(), key = "broker-" + tuner.substr(1, 8);
  std::unique_ptr<Connection> connection;
  std::vector<std::unique_ptr<Connection>> others(static_cast<size_t>(agents) + 1);
  Failure failure = Connection::open(arguments, "cameo farm measure-broker", 3, connection);
  for (std::unique_ptr<Connection> &each : others)
    if (failure.empty())
      failure = Connection::open(arguments, "cameo farm measure-broker", 3, each);
  if (failure.empty())
    failure = connection->addConsumer(jobsStream, jobsConsumerOf(key));
  if (failure.empty())
    failure = connection->addConsumer(resultsStream, resultsConsumerOf(tuner));
  if (!failure.empty())
    return fail(failure);

  std::atomic<bool> isDone = false;
  std::vector<std::thread> threads;
  for (size_t i = 1; i < others.size(); ++i)
    threads.emplace_back([&, i] { answerAll(*others[i], key, signer, isDone); });
  int64_t begin = steadyNow();
  threads.emplace_back([&] {
    std::string package(static_cast<size_t>(bytes), 0), message;
    std::mt19937_64 random(1);
    for (size_t at = 0; at + 8 <= package.size(); at += 8) {
      uint64_t word = random();
      std::memcpy(package.data() + at, &word, sizeof(word));
    }
    auto put = [&](const Digest &digest, std::string_view part) { return connection->putBlob(digest, part); };
    for (long i = 0; i < packages && failure.empty(); ++i) {
      std::memcpy(package.data(), &i, sizeof(i));
      failure = seal(package, tuner, key, &signer, connection->mostBytes(), put, message);
      if (failure.empty())
        failure = connection->publish("cameo.jobs." + key + "." + tuner, message, tuner + "." + std::to_string(i));
    }
  });
  Subscription subscription;
  long came = 0;
  for (int64_t last = steadyNow(); came < packages && steadyNow() - last < 10000;)
    if (Message message = others[0]->fetch(subscription, resultsStream, resultsConsumerOf(tuner), 300)) {
      ++came;
      last = steadyNow();
      natsMsg_Ack(message.get(), nullptr);
    }
  double seconds = static_cast<double>(steadyNow() - begin) * 1e-3;
  isDone = true;
  for (std::thread &each : threads)
    each.join();
  js_DeleteConsumer(connection->getJetStream(), resultsStream, tuner.c_str(), nullptr, nullptr);
  js_DeleteConsumer(connection->getJetStream(), jobsStream, jobsConsumerOf(key).name.c_str(), nullptr, nullptr);
  if (came < packages)
    return fail("expected " + std::to_string(packages) + " results, got " + std::to_string(came) + (failure.empty() ? "" : ": " + failure));
  std::printf("%ld packages of %ld bytes in %.2f s: %.0f per second\n", packages, bytes, seconds, static_cast<double>(packages) / seconds);
  return 0;
}

} // namespace cameo::farm
