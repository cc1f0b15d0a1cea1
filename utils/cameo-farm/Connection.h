// The farm's use of NATS: a connection that reconnects by itself, streams for packages, results and blobs, and a bucket
// with the states of devices.
//
//   cameo.jobs.KEY.TUNER         packages to measure: a work queue, from which each device takes one at a time
//   cameo.jobs.KEY.high.TUNER    packages that precede those
//   cameo.results.TUNER          results of devices, which are kept until the tuner has received them
//   cameo.blobs.DIGEST.NUMBER    pieces of large blobs; cameo.blobs.DIGEST.size exists if all pieces do
#ifndef CAMEO_FARM_CONNECTION_H
#define CAMEO_FARM_CONNECTION_H

#include "Arguments.h"
#include "Envelope.h"
#include "NKey.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <nats/nats.h>

namespace cameo::farm {

constexpr char jobsStream[] = "CAMEO_JOBS", resultsStream[] = "CAMEO_RESULTS", blobsStream[] = "CAMEO_BLOBS",
               devicesBucket[] = "CAMEO_DEVICES", machinesBucket[] = "CAMEO_MACHINES",
               recordsBucket[] = "CAMEO_RECORDS";

/// If a device does not report on its package for this time, another device gets it.
constexpr int64_t silenceSeconds = 10;
/// A device that has not updated its state for this time is gone.
constexpr double goneSeconds = 15;

template <typename T, void (*destroy)(T *)> struct Destroy {
  void operator()(T *it) const { destroy(it); }
};
using Message = std::unique_ptr<natsMsg, Destroy<natsMsg, natsMsg_Destroy>>;
using Subscription = std::unique_ptr<natsSubscription, Destroy<natsSubscription, natsSubscription_Destroy>>;

/// A consumer of NATS: the messages of a stream that it delivers. Processes share it by its name.
struct Consumer {
  std::string name, subject;
  int64_t lifeSeconds; ///< lifetime without requests; 0: unlimited
};
Consumer jobsConsumerOf(const std::string &key, bool isHigh = false);
/// Returns the subject of a tuner's packages.
std::string jobsSubjectOf(const std::string &key, const std::string &tuner, bool isHigh = false);
Consumer resultsConsumerOf(const std::string &tuner);

class Connection {
public:
  /// Connects according to --server, which is a URL or a file with one, --credentials, --nkey, --tls-ca, --tls-cert and
  /// --tls-key. Tries for `patienceSeconds`; 0: without limit. Creates missing streams and buckets.
  static Failure open(const Arguments &arguments, const std::string &name, double patienceSeconds,
                      std::unique_ptr<Connection> &result);
  ~Connection();

  natsConnection *get() { return connection; }
  jsCtx *getJetStream() { return jetStream; }
  /// Returns the URL without credentials, for messages.
  const std::string &getServer() const { return shownServer; }
  /// Returns the name of a stream that the server does not report on for a second; empty if all are available.
  std::string findSilentStream();
  /// Returns the limit of a message's size in bytes, which leaves room for its headers.
  size_t mostBytes() const;

  /// Publishes a message. Repeated calls with the same `id` within two minutes publish it only once. A failure comes
  /// from the server.
  Failure publish(const std::string &subject, std::string_view bytes, const std::string &id);
  /// Whether the server has denied a request, so that retries are useless.
  bool isRefused() const { return isForbidden; }
  /// Returns the next message of a consumer, after waiting for at most `milliseconds`; 0: without waiting. Returns null
  /// if there is none. Creates the consumer or the subscription again if it is gone.
  Message fetch(Subscription &subscription, const std::string &stream, const Consumer &consumer, int64_t milliseconds);
  Failure addConsumer(const std::string &stream, const Consumer &consumer);
  /// Creates the consumer again, so that it delivers all messages that are not acknowledged once more.
  Failure renewConsumer(const std::string &stream, const Consumer &consumer);
  /// Returns the number of messages that a consumer has not delivered, or that are not acknowledged; -1 if the server
  /// does not answer.
  int64_t countJobs(const Consumer &consumer);
  /// Whether a tuner waits for its results; also true if the server does not answer.
  bool isWaiting(const std::string &tuner);

  Failure putBlob(const Digest &digest, std::string_view bytes);
  /// Forgets which blobs the store has, because it has lost some.
  void clearKnownBlobs();
  Failure getBlob(const Digest &digest, uint64_t bytes, std::string &result);

  /// Write and read values of a bucket. put() replaces a value, create() does nothing if there is one. Values are lines
  /// "name=value".
  Failure put(const char *bucket, const std::string &key, const std::string &value);
  Failure create(const char *bucket, const std::string &key, const std::string &value);
  bool get(const char *bucket, const std::string &key, std::string &value);
  struct Value {
    std::string text;
    double ageSeconds = 0; ///< by the clock of the server
  };
  /// Returns all values by key. Keys of devices contain a dot.
  std::map<std::string, Value> getAll(const char *bucket);

private:
  static natsStatus signNonce(char **problem, unsigned char **signature, int *size, const char *nonce, void *self);
  static void takeError(natsConnection *connection, natsSubscription *subscription, natsStatus error, void *self);
  Failure configure(const Arguments &arguments, const std::string &name, natsOptions *options);
  Failure prepare();
  Failure addStream(const char *name, const char *subject, jsRetentionPolicy retention, int64_t maxAgeSeconds,
                    int64_t perSubject);
  kvStore *bucketOf(const char *name);

  natsConnection *connection = nullptr;
  jsCtx *jetStream = nullptr;
  std::map<std::string, kvStore *> buckets;
  std::atomic<bool> isForbidden = false;
  std::mutex guard;                 ///< guards `stored`
  std::map<Digest, int64_t> stored; ///< when a blob was last seen in the store, in milliseconds
  NKey nkey;
  std::string shownServer;
};

/// Returns milliseconds of a monotonic clock with an arbitrary start.
int64_t steadyNow();

std::string textOf(natsStatus status, jsErrCode error = static_cast<jsErrCode>(0));
/// Parses lines "name=value".
std::map<std::string, std::string> readFields(const std::string &text);

} // namespace cameo::farm

#endif
