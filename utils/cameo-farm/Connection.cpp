#include "Connection.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace cameo::farm {

int64_t steadyNow() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string textOf(natsStatus status, jsErrCode error) {
  const char *detail = nullptr;
  natsStatus last = NATS_OK;
  if (status == NATS_ERR && error != 0)
    detail = nats_GetLastError(&last);
  return detail && *detail ? detail : natsStatus_GetText(status);
}

std::map<std::string, std::string> readFields(const std::string &text) {
  std::map<std::string, std::string> fields;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (size_t equals = line.find('='); equals != std::string::npos)
      fields[line.substr(0, equals)] = line.substr(equals + 1);
  return fields;
}

/// Stores the URL of the server: `text`, or the first line of the file `text`.
static Failure readServer(const std::string &text, std::string &url) {
  url = text;
  if (text.empty())
    return "expected --server URL";
  if (text.find("://") != std::string::npos)
    return "";
  std::ifstream file(text);
  if (!file || !std::getline(file, url) || url.find("://") == std::string::npos)
    return "--server: expected a URL such as nats://HOST:4222, or a file that has one, as 'cameo farm start' writes "
           "it; got '" +
           text + "'";
  return "";
}

/// Servers report denied requests by this callback only; the requests get no reply.
void Connection::takeError(natsConnection *, natsSubscription *, natsStatus error, void *self) {
  if (error == NATS_NOT_PERMITTED)
    static_cast<Connection *>(self)->isForbidden = true;
}

/// Signs the challenge of the server.
natsStatus Connection::signNonce(char **, unsigned char **signature, int *size, const char *nonce, void *self) {
  Signature made = static_cast<Connection *>(self)->nkey.sign(nonce);
  // Freed by the client.
  *signature = static_cast<unsigned char *>(std::malloc(made.size()));
  if (!*signature)
    return NATS_NO_MEMORY;
  std::memcpy(*signature, made.data(), made.size());
  *size = static_cast<int>(made.size());
  return NATS_OK;
}

Failure Connection::configure(const Arguments &arguments, const std::string &name, natsOptions *options) {
  std::string url;
  if (Failure failure = readServer(arguments.get("--server"), url); !failure.empty())
    return failure;
  size_t scheme = url.find("://") + 3, user = url.rfind('@');
  shownServer = user == std::string::npos ? url : url.substr(0, scheme) + url.substr(user + 1);
  struct Step {
    const char *what;
    natsStatus status;
  };
  std::string credentials = arguments.get("--credentials"), seed = arguments.get("--nkey"),
              authority = arguments.get("--tls-ca"), certificate = arguments.get("--tls-cert"),
              own = arguments.get("--tls-key");
  if (!credentials.empty() && !seed.empty())
    return "--nkey: unexpected with --credentials, which contain a key";
  if (Failure failure = seed.empty() ? "" : NKey::read(seed, nkey); !failure.empty())
    return "--nkey: " + failure;
  std::vector<Step> steps = {{"--server", natsOptions_SetURL(options, url.c_str())},
                             {"", natsOptions_SetName(options, name.c_str())},
                             {"", natsOptions_SetMaxReconnect(options, -1)},
                             {"", natsOptions_SetReconnectWait(options, 200)},
                             {"", natsOptions_SetReconnectJitter(options, 100, 100)},
                             {"", natsOptions_SetPingInterval(options, 5000)},
                             {"", natsOptions_SetTimeout(options, 3000)},
                             {"", natsOptions_SetErrorHandler(options, takeError, this)}};
  if (!credentials.empty())
    steps.push_back({"--credentials", natsOptions_SetUserCredentialsFromFiles(options, credentials.c_str(), nullptr)});
  if (!seed.empty())
    steps.push_back({"--nkey", natsOptions_SetNKey(options, nkey.getName().c_str(), signNonce, this)});
  if (shownServer.rfind("tls://", 0) == 0 || !authority.empty())
    steps.push_back({"", natsOptions_SetSecure(options, true)});
  if (!authority.empty())
    steps.push_back({"--tls-ca", natsOptions_LoadCATrustedCertificates(options, authority.c_str())});
  if (!certificate.empty() || !own.empty())
    steps.push_back({"--tls-cert", natsOptions_LoadCertificatesChain(options, certificate.c_str(), own.c_str())});
  for (const Step &step : steps)
    if (step.status != NATS_OK)
      return std::string(step.what) + ": " + textOf(step.status);
  if (!credentials.empty() && access(credentials.c_str(), R_OK) != 0)
    return "--credentials: " + credentials + ": " + std::strerror(errno);
  return "";
}

Failure Connection::open(const Arguments &arguments, const std::string &name, double patienceSeconds,
                         std::unique_ptr<Connection> &result) {
  std::unique_ptr<Connection> opened(new Connection);
  natsOptions *options = nullptr;
  if (natsStatus status = natsOptions_Create(&options); status != NATS_OK)
    return textOf(status);
  Failure failure = opened->configure(arguments, name, options);
  int64_t deadline = steadyNow() + static_cast<int64_t>(patienceSeconds * 1000);
  natsStatus status = NATS_ERR;
  int refusals = 0;
  for (bool isFirst = true; failure.empty() && status != NATS_OK; isFirst = false) {
    status = natsConnection_Connect(&opened->connection, options);
    // Retries do not help if the server refuses the connection. But the client library makes an invalid signature for
    // --credentials about once in some hundred times, so only the second refusal counts.
    bool isRefused =
        status == NATS_CONNECTION_AUTH_FAILED || status == NATS_SSL_ERROR || status == NATS_SECURE_CONNECTION_REQUIRED;
    if (status == NATS_OK)
      break;
    if (isFirst && patienceSeconds == 0 && !isRefused)
      say("waiting for " + opened->shownServer + ": " + textOf(status));
    refusals += isRefused;
    if (refusals == 2 || (patienceSeconds > 0 && steadyNow() > deadline))
      failure = opened->shownServer + ": " + textOf(status);
    else
      nats_Sleep(300);
  }
  natsOptions_Destroy(options);
  if (failure.empty())
    failure = opened->prepare();
  if (failure.empty())
    result = std::move(opened);
  return failure;
}

Connection::~Connection() {
  for (auto &[name, bucket] : buckets)
    kvStore_Destroy(bucket);
  jsCtx_Destroy(jetStream);
  natsConnection_Destroy(connection);
}

size_t Connection::mostBytes() const {
  // Larger messages would delay others on the connection for too long.
  constexpr int64_t enough = 4 << 20, headers = 4096;
  return static_cast<size_t>(std::min(natsConnection_GetMaxPayload(connection), enough) - headers);
}

Failure Connection::prepare() {
  constexpr int64_t hour = 3600;
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = 3000;
  if (natsStatus status = natsConnection_JetStream(&jetStream, connection, &options); status != NATS_OK)
    return shownServer + ": " + textOf(status);
  for (const Failure &failure : {addStream(jobsStream, "cameo.jobs.>", js_WorkQueuePolicy, 24 * hour, 0),
                                 addStream(resultsStream, "cameo.results.>", js_InterestPolicy, 24 * hour, 0),
                                 addStream(blobsStream, "cameo.blobs.>", js_LimitsPolicy, 24 * hour, 1)})
    if (!failure.empty())
      return failure;
  for (auto [name, seconds] :
       {std::pair(devicesBucket, hour), std::pair(machinesBucket, int64_t(0)), std::pair(recordsBucket, int64_t(0))}) {
    kvConfig config;
    kvConfig_Init(&config);
    config.Bucket = name;
    config.History = 1;
    config.TTL = seconds * 1000000000;
    kvStore *store = nullptr;
    if (js_KeyValue(&store, jetStream, name) != NATS_OK)
      if (natsStatus status = js_CreateKeyValue(&store, jetStream, &config); status != NATS_OK)
        if (status = js_KeyValue(&store, jetStream, name); status != NATS_OK)
          return shownServer + ": no bucket " + name + ": " + textOf(status, static_cast<jsErrCode>(1));
    buckets[name] = store;
  }
  return "";
}

std::string Connection::findSilentStream() {
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = 1000;
  std::vector<std::string> names = {jobsStream, resultsStream, blobsStream};
  for (const auto &[bucket, store] : buckets)
    names.push_back("KV_" + bucket);
  for (const std::string &name : names) {
    jsStreamInfo *info = nullptr;
    natsStatus status = js_GetStreamInfo(&info, jetStream, name.c_str(), &options, nullptr);
    jsStreamInfo_Destroy(info);
    if (status == NATS_TIMEOUT)
      return name;
  }
  return "";
}

Failure Connection::addStream(const char *name, const char *subject, jsRetentionPolicy retention, int64_t maxAgeSeconds,
                              int64_t perSubject) {
  jsErrCode error = static_cast<jsErrCode>(0);
  jsStreamInfo *info = nullptr;
  natsStatus status = js_GetStreamInfo(&info, jetStream, name, nullptr, &error);
  if (status == NATS_NOT_FOUND) {
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.Name = name;
    config.Subjects = &subject;
    config.SubjectsLen = 1;
    config.Retention = retention;
    config.MaxAge = maxAgeSeconds * 1000000000;
    config.Duplicates = int64_t(120) * 1000000000;
    config.MaxMsgsPerSubject = perSubject > 0 ? perSubject : -1;
    // At most half of the server's free space, so that results have room even if packages and blobs have none.
    // Otherwise nothing could leave the queue.
    config.MaxBytes = retention == js_InterestPolicy ? -1 : int64_t(2) << 30;
    config.Discard = retention == js_WorkQueuePolicy ? js_DiscardNew : js_DiscardOld;
    do {
      status = js_AddStream(&info, jetStream, &config, nullptr, &error);
      config.MaxBytes /= 2;
    } while (status != NATS_OK && (error == JSStorageResourcesExceededErr || error == JSAccountResourcesExceededErr) &&
             config.MaxBytes > 4096);
    // Another process has created it meanwhile.
    if (status != NATS_OK && error == JSStreamNameExistErr)
      status = NATS_OK;
  }
  jsStreamInfo_Destroy(info);
  if (status == NATS_NO_RESPONDERS || error == JSNotEnabledErr || error == JSNotEnabledForAccountErr)
    return shownServer + ": expected a server with JetStream ('jetstream {}' in its configuration)";
  return status == NATS_OK ? "" : shownServer + ": no stream " + name + ": " + textOf(status, error);
}

Failure Connection::publish(const std::string &subject, std::string_view bytes, const std::string &id) {
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.MsgId = id.c_str();
  jsErrCode error = static_cast<jsErrCode>(0);
  natsStatus status =
      js_Publish(nullptr, jetStream, subject.c_str(), bytes.data(), static_cast<int>(bytes.size()), &options, &error);
  if (status != NATS_OK && isForbidden)
    return shownServer + ": this user has no right to publish to " + subject;
  return status == NATS_OK ? "" : shownServer + ": " + textOf(status, error);
}

Message Connection::fetch(Subscription &subscription, const std::string &stream, const Consumer &consumer,
                          int64_t milliseconds) {
  if (!subscription) {
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Stream = stream.c_str();
    options.Consumer = consumer.name.c_str();
    natsSubscription *made = nullptr;
    if (!addConsumer(stream, consumer).empty() ||
        js_PullSubscribe(&made, jetStream, nullptr, nullptr, nullptr, &options, nullptr) != NATS_OK) {
      nats_Sleep(200);
      return nullptr;
    }
    subscription.reset(made);
  }
  natsMsgList list = {};
  jsFetchRequest request;
  jsFetchRequest_Init(&request);
  request.Batch = 1;
  request.NoWait = milliseconds == 0;
  // If both were set, the server would wait.
  request.Expires = milliseconds * 1000000;
  natsStatus status = natsSubscription_FetchRequest(&list, subscription.get(), &request);
  Message message;
  if (status == NATS_OK && list.Count > 0)
    message.reset(std::exchange(list.Msgs[0], nullptr));
  natsMsgList_Destroy(&list);
  // The server was restarted, or the consumer was removed.
  bool isEmpty = status == NATS_TIMEOUT || (request.NoWait && status == NATS_NOT_FOUND);
  if (status != NATS_OK && !isEmpty) {
    subscription.reset();
    nats_Sleep(100);
  }
  return message;
}

Consumer jobsConsumerOf(const std::string &key, bool isHigh) {
  return {(isHigh ? "high-" : "key-") + key, jobsSubjectOf(key, "*", isHigh), 0};
}
std::string jobsSubjectOf(const std::string &key, const std::string &tuner, bool isHigh) {
  return "cameo.jobs." + key + (isHigh ? ".high." : ".") + tuner;
}
Consumer resultsConsumerOf(const std::string &tuner) { return {tuner, "cameo.results." + tuner, 600}; }

Failure Connection::addConsumer(const std::string &stream, const Consumer &consumer) {
  jsConsumerConfig config;
  jsConsumerConfig_Init(&config);
  config.Durable = consumer.name.c_str();
  config.FilterSubject = consumer.subject.c_str();
  config.AckPolicy = js_AckExplicit;
  config.AckWait = silenceSeconds * 1000000000;
  config.MaxAckPending = 20000;
  config.MaxWaiting = 5000;
  config.InactiveThreshold = consumer.lifeSeconds * 1000000000;
  jsErrCode error = static_cast<jsErrCode>(0);
  natsStatus status = js_AddConsumer(nullptr, jetStream, stream.c_str(), &config, nullptr, &error);
  return status == NATS_OK ? "" : shownServer + ": no consumer " + consumer.name + ": " + textOf(status, error);
}

Failure Connection::renewConsumer(const std::string &stream, const Consumer &consumer) {
  js_DeleteConsumer(jetStream, stream.c_str(), consumer.name.c_str(), nullptr, nullptr);
  return addConsumer(stream, consumer);
}

int64_t Connection::countJobs(const Consumer &consumer) {
  jsConsumerInfo *info = nullptr;
  if (js_GetConsumerInfo(&info, jetStream, jobsStream, consumer.name.c_str(), nullptr, nullptr) != NATS_OK)
    return -1;
  int64_t count = static_cast<int64_t>(info->NumPending) + info->NumAckPending;
  jsConsumerInfo_Destroy(info);
  return count;
}

bool Connection::isWaiting(const std::string &tuner) {
  jsConsumerInfo *info = nullptr;
  jsErrCode error = static_cast<jsErrCode>(0);
  natsStatus status = js_GetConsumerInfo(&info, jetStream, resultsStream, tuner.c_str(), nullptr, &error);
  jsConsumerInfo_Destroy(info);
  return status != NATS_NOT_FOUND;
}

} // namespace cameo::farm
