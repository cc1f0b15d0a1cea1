// The part of Connection for blobs and buckets.
#include "Connection.h"

#include <algorithm>

namespace cameo::farm {

/// Of a piece of a blob: below what servers take as they are set up.
constexpr size_t pieceBytes = 512 << 10;
/// So long a blob that was seen in the store is taken to be there; it stays for a day.
constexpr int64_t believedMilliseconds = 3600 * 1000;

static std::string subjectOf(const Digest &digest, const std::string &end) {
  return "cameo.blobs." + hexOf(digest) + "." + end;
}

static Message lastOf(jsCtx *jetStream, const std::string &subject) {
  natsMsg *found = nullptr;
  js_GetLastMsg(&found, jetStream, blobsStream, subject.c_str(), nullptr, nullptr);
  return Message(found);
}

Failure Connection::putBlob(const Digest &digest, std::string_view bytes) {
  {
    std::lock_guard lock(guard);
    auto known = stored.find(digest);
    if (known != stored.end() && steadyNow() - known->second < believedMilliseconds)
      return "";
  }
  bool isThere =
      lastOf(jetStream, subjectOf(digest, "size")) != nullptr && lastOf(jetStream, subjectOf(digest, "0")) != nullptr;
  for (size_t at = 0, number = 0; !isThere && at < bytes.size(); at += pieceBytes, ++number)
    if (Failure failure = publish(subjectOf(digest, std::to_string(number)), bytes.substr(at, pieceBytes), "");
        !failure.empty())
      return failure;
  if (!isThere)
    if (Failure failure = publish(subjectOf(digest, "size"), std::to_string(bytes.size()), ""); !failure.empty())
      return failure;
  std::lock_guard lock(guard);
  stored[digest] = steadyNow();
  return "";
}

void Connection::clearKnownBlobs() {
  std::lock_guard lock(guard);
  stored.clear();
}

Failure Connection::getBlob(const Digest &digest, uint64_t bytes, std::string &result) {
  result.clear();
  for (size_t number = 0; result.size() < bytes; ++number) {
    Message piece = lastOf(jetStream, subjectOf(digest, std::to_string(number)));
    size_t size = piece ? static_cast<size_t>(natsMsg_GetDataLength(piece.get())) : 0;
    if (size == 0 || size > bytes - result.size())
      return "a part of the package is not in the store";
    result.append(natsMsg_GetData(piece.get()), size);
  }
  return "";
}

Failure Connection::put(const char *bucket, const std::string &key, const std::string &value) {
  natsStatus status = kvStore_PutString(nullptr, buckets[bucket], key.c_str(), value.c_str());
  return status == NATS_OK ? "" : shownServer + ": " + textOf(status);
}

Failure Connection::create(const char *bucket, const std::string &key, const std::string &value) {
  natsStatus status = kvStore_CreateString(nullptr, buckets[bucket], key.c_str(), value.c_str());
  return status == NATS_OK ? "" : shownServer + ": " + textOf(status);
}

bool Connection::get(const char *bucket, const std::string &key, std::string &value) {
  kvEntry *entry = nullptr;
  if (kvStore_Get(&entry, buckets[bucket], key.c_str()) != NATS_OK)
    return false;
  value.assign(static_cast<const char *>(kvEntry_Value(entry)), static_cast<size_t>(kvEntry_ValueLen(entry)));
  kvEntry_Destroy(entry);
  return true;
}

std::map<std::string, Connection::Value> Connection::getAll(const char *bucket) {
  std::map<std::string, Value> values;
  // What time it is, by the clock that the others have theirs from.
  constexpr char clock[] = "now";
  int64_t now = 0;
  kvEntry *last = nullptr;
  if (put(bucket, clock, "").empty() && kvStore_Get(&last, buckets[bucket], clock) == NATS_OK)
    now = kvEntry_Created(last);
  kvEntry_Destroy(last);
  kvKeysList list = {};
  if (kvStore_Keys(&list, buckets[bucket], nullptr) == NATS_OK)
    for (int i = 0; i < list.Count; ++i) {
      kvEntry *entry = nullptr;
      if (std::string(list.Keys[i]) == clock || kvStore_Get(&entry, buckets[bucket], list.Keys[i]) != NATS_OK)
        continue;
      Value &value = values[list.Keys[i]];
      value.text.assign(static_cast<const char *>(kvEntry_Value(entry)), static_cast<size_t>(kvEntry_ValueLen(entry)));
      value.ageSeconds = std::max(0.0, static_cast<double>(now - kvEntry_Created(entry)) * 1e-9);
      kvEntry_Destroy(entry);
    }
  kvKeysList_Destroy(&list);
  return values;
}

} // namespace cameo::farm
