// A device receives a package unchanged, or not at all.
#include "utils/cameo-farm/Envelope.h"

#include "autotune/Measure/PackageFormat.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

using namespace cameo::farm;

namespace {

/// A store of blobs.
struct Store {
  std::map<Digest, std::string> blobs;
  PutPart put = [this](const Digest &digest, std::string_view bytes) {
    blobs[digest] = bytes;
    return Failure();
  };
  GetPart get = [this](const Digest &digest, uint64_t bytes, std::string &result) {
    result = blobs[digest];
    return result.size() == bytes ? "" : "a part of the package is not in the store";
  };
};

/// Returns a package with blobs of these sizes, each filled with another letter.
std::string packageOf(std::initializer_list<uint64_t> sizes) {
  cameo_package header = {};
  header.magic = CAMEO_PACKAGE_MAGIC;
  header.version = CAMEO_PACKAGE_VERSION;
  header.blob_count = static_cast<uint32_t>(sizes.size());
  std::string tables, contents;
  uint64_t begin = (sizeof(header) + sizes.size() * sizeof(cameo_package_blob) + 63) / 64 * 64;
  char letter = 'a';
  for (uint64_t size : sizes) {
    cameo_package_blob blob = {begin + contents.size(), size};
    tables.append(reinterpret_cast<const char *>(&blob), sizeof(blob));
    contents.append(size, letter++);
    contents.resize((contents.size() + 63) / 64 * 64);
  }
  std::string package(reinterpret_cast<const char *>(&header), sizeof(header));
  package += tables;
  package.resize(begin);
  return package + contents;
}

class Farm : public ::testing::Test {
protected:
  void SetUp() override {
    char folder[] = "/tmp/cameo-farm-XXXXXX";
    ASSERT_TRUE(mkdtemp(folder));
    path = std::string(folder) + "/key";
    ASSERT_EQ(generateKey(path), "");
    ASSERT_EQ(SigningKey::read(path, key), "");
    ASSERT_EQ(TrustedKeys::read(path + ".pub", trusted), "");
  }
  void TearDown() override {
    unlink(path.c_str());
    unlink((path + ".pub").c_str());
    rmdir(path.substr(0, path.rfind('/')).c_str());
  }
  std::string sealed(const std::string &package, size_t mostBytes, const SigningKey *signer) {
    std::string message;
    EXPECT_EQ(seal(package, "tuner", "zen4", signer, mostBytes, store.put, message), "");
    return message;
  }
  /// Receives a message as a device does.
  Failure receive(const std::string &message, std::string &package) {
    Envelope envelope;
    Failure failure = Envelope::open(message, envelope);
    if (failure.empty())
      failure = envelope.check(&trusted);
    return failure.empty() ? envelope.assemble(store.get, package) : failure;
  }

  std::string path;
  SigningKey key;
  TrustedKeys trusted;
  Store store;
};

TEST_F(Farm, APackageThatFitsIsOneMessage) {
  std::string package = packageOf({1000, 20000}), received;
  EXPECT_EQ(receive(sealed(package, 1 << 20, &key), received), "");
  EXPECT_EQ(received, package);
  EXPECT_TRUE(store.blobs.empty());
}

TEST_F(Farm, LargeBlobsAreStoredOnceTheLargestFirst) {
  std::string package = packageOf({100000, 5000000, 300000}), received;
  std::string message = sealed(package, 500000, &key);
  EXPECT_LE(message.size(), 500000u);
  EXPECT_EQ(store.blobs.size(), 1u);
  EXPECT_EQ(receive(message, received), "");
  EXPECT_EQ(received, package);
  sealed(packageOf({777, 5000000, 300000}), 500000, &key);
  EXPECT_EQ(store.blobs.size(), 1u) << "another package has the same blob";
  store.blobs.begin()->second.pop_back();
  EXPECT_EQ(receive(message, received), "a part of the package is not in the store");
}

TEST_F(Farm, WhatNoMessageHoldsIsAFailure) {
  std::string message;
  EXPECT_EQ(seal(packageOf({9000, 9000, 9000, 9000}), "tuner", "zen4", &key, 20000, store.put, message),
            "the package is too large for this server's messages");
}

TEST_F(Farm, EveryAlteredByteIsFound) {
  std::string package = packageOf({300, 40000}), received;
  const std::string message = sealed(package, 20000, &key);
  for (size_t at = 0; at < message.size(); at += at < 512 ? 1 : 13)
    for (char bit : {1, -128}) {
      std::string altered = message;
      altered[at] = static_cast<char>(altered[at] ^ bit);
      EXPECT_NE(receive(altered, received), "") << "byte " << at;
    }
  for (size_t size = 0; size < message.size(); size += 97)
    EXPECT_NE(receive(message.substr(0, size), received), "") << "cut off at " << size;
  EXPECT_NE(receive(message + "more", received), "");
  for (auto &[digest, blob] : store.blobs)
    blob[5] ^= 1;
  EXPECT_EQ(receive(message, received), isAltered);
}

TEST_F(Farm, OnlyTrustedKeysCount) {
  std::string package = packageOf({300}), received;
  EXPECT_EQ(receive(sealed(package, 1 << 20, nullptr), received), "the package is not signed");
  SigningKey other;
  ASSERT_EQ(generateKey(path + "2"), "");
  ASSERT_EQ(SigningKey::read(path + "2", other), "");
  EXPECT_EQ(receive(sealed(package, 1 << 20, &other), received),
            "the package is signed by a key that is not trusted here: ed25519 " + hexOf(other.getPublicKey()));
  EXPECT_EQ(generateKey(path + "2"),
            path + "2.pub: already exists; keys are not replaced, because agents may trust them");
  unlink((path + "2").c_str());
  unlink((path + "2.pub").c_str());
  // A trusted key with the signature of another key.
  std::string mixed = sealed(package, 1 << 20, &key), theirs = sealed(package, 1 << 20, &other);
  mixed.replace(offsetof(EnvelopeHeader, signature), 64, theirs, offsetof(EnvelopeHeader, signature), 64);
  EXPECT_EQ(receive(mixed, received), isAltered);
}

TEST_F(Farm, ListsOfKeysAreReadOrRefusedByTheLine) {
  TrustedKeys keys;
  std::ofstream(path + "s") << "# the team\n\n" << std::ifstream(path + ".pub").rdbuf() << "ed25519 12 short\n";
  EXPECT_EQ(TrustedKeys::read(path + "s", keys),
            path + "s: line 4: expected 'ed25519', 64 hexadecimal digits and a name, as in the file of 'cameo farm "
                   "keygen' that ends in .pub");
  std::ofstream(path + "s") << "# nobody\n";
  TrustedKeys none;
  EXPECT_EQ(TrustedKeys::read(path + "s", none), path + "s: expected a key that is trusted, got none");
  unlink((path + "s").c_str());
  SigningKey wrong;
  EXPECT_EQ(SigningKey::read(path + ".pub", wrong), path + ".pub: expected a key of 'cameo farm keygen'");
}

} // namespace
