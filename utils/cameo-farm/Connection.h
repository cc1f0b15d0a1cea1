// What the farm has of NATS: a connection that comes back by itself, streams for packages, results and blobs, and a
// bucket of what devices do.
//
//   cameo.jobs.KEY.TUNER         packages to be measured: a work queue, from which each device takes one at a time
//   cameo.jobs.KEY.high.TUNER    those that go before
//   cameo.results.TUNER          what devices say of them: kept until that tuner has it
//   cameo.blobs.DIGEST.NUMBER    bytes of large blobs, in pieces; cameo.blobs.DIGEST.size when all are there
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

/// A package whose device says nothing for so long goes to another one.
constexpr int64_t silenceSeconds = 10;
/// A device that showed no sign of life for so long is gone.
constexpr double goneSeconds = 15;

template <typename T, void (*destroy)(T *)> struct Destroy {
  void operator()(T *it) const { destroy(it); }
};
using Message = std::unique_ptr<natsMsg, Destroy<natsMsg, natsMsg_Destroy>>;
using Subscription = std::unique_ptr<natsSubscription, Destroy<natsSubscription, natsSubscription_Destroy>>;

/// What of a stream is given to whom: one name for all that share it.
struct Consumer {
  std::string name, subject;
  int64_t lifeSeconds; ///< without anybody who asks; 0: for ever
};
Consumer jobsConsumerOf(const std::string &key, bool isHigh = false);
/// Of the packages of a tuner.
std::string jobsSubjectOf(const std::string &key, const std::string &tuner, bool isHigh = false);
Consumer resultsConsumerOf(const std::string &tuner);

class Connection {
public:
  /// By --server, a URL or a file that has one, --credentials, --nkey, --tls-ca, --tls-cert and --tls-key. Tries for
  /// `patienceSeconds`, 0: for ever. Makes what is missing of streams and buckets.
  static Failure open(const Arguments &arguments, const std::string &name, double patienceSeconds,
                      std::unique_ptr<Connection> &result);
  ~Connection();

  natsConnection *get() { return connection; }
  jsCtx *getJetStream() { return jetStream; }
  /// Without credentials, for people.
  const std::string &getServer() const { return shownServer; }
  /// A stream that the server says nothing about for a second; empty: it answers.
  std::string findSilentStream();
  /// Of a message, with room for its headers.
  size_t mostBytes() const;

  /// Once, however often it is tried: by `id`, for two minutes. A failure is the server's.
  Failure publish(const std::string &subject, std::string_view bytes, const std::string &id);
  /// Whether the server has refused something, which trying again does not change.
  bool isRefused() const { return isForbidden; }
  /// What a consumer has next, for at most `milliseconds`, 0: now; null: nothing. A consumer or a subscription that is
  /// gone is made again.
  Message fetch(Subscription &subscription, const std::string &stream, const Consumer &consumer, int64_t milliseconds);
  Failure addConsumer(const std::string &stream, const Consumer &consumer);
  /// Made anew: it gives out what is not acknowledged once more.
  Failure renewConsumer(const std::string &stream, const Consumer &consumer);
  /// Messages that a consumer has not given out yet, or that are not acknowledged; -1: the server does not say.
  int64_t countJobs(const Consumer &consumer);
  /// Whether anybody is there who gets results of a tuner; true also if the server does not say.
  bool isWaiting(const std::string &tuner);

  Failure putBlob(const Digest &digest, std::string_view bytes);
  /// The store has lost some.
  void forgetBlobs();
  Failure getBlob(const Digest &digest, uint64_t bytes, std::string &result);

  /// A value of a bucket; replaced, or made unless there is one. Values are lines "name=value".
  Failure put(const char *bucket, const std::string &key, const std::string &value);
  Failure create(const char *bucket, const std::string &key, const std::string &value);
  bool get(const char *bucket, const std::string &key, std::string &value);
  struct Value {
    std::string text;
    double ageSeconds = 0; ///< by the server's clock
  };
  /// By keys; those of a device have a dot.
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
  std::mutex guard;                 ///< of `stored`
  std::map<Digest, int64_t> stored; ///< when a blob was seen in the store, in milliseconds
  NKey nkey;
  std::string shownServer;
};

/// Milliseconds by a clock that only goes forwards: what it is now is nobody's business.
int64_t steadyNow();

std::string textOf(natsStatus status, jsErrCode error = static_cast<jsErrCode>(0));
/// Lines "name=value".
std::map<std::string, std::string> readFields(const std::string &text);

} // namespace cameo::farm

#endif
