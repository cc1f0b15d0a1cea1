#include "test/unit/runtime/TestModel.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

using cameo::test::TestModel;

namespace {

class Weights : public testing::Test {
protected:
  void SetUp() override {
    path = testing::TempDir() + "cameo-weights-" + std::to_string(getpid());
    model.description.weights_bytes = 100;
    model.description.external_weights_hash = 0x1234;
    std::memcpy(header.magic, CAMEO_WEIGHTS_MAGIC, sizeof header.magic);
    header.abi_version = CAMEO_ABI_VERSION;
    header.weights_bytes = 100;
    header.hash = 0x1234;
  }
  void TearDown() override {
    cameo_weights_unmap(&weights);
    unlink(path.c_str());
  }
  cameo_status map(size_t weightBytes = 100) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(&header), sizeof header);
    file << std::string(weightBytes, 'w');
    file.close();
    return cameo_weights_map(path.c_str(), &model.description, &weights);
  }

  std::string path;
  TestModel model;
  cameo_weights_header header = {};
  cameo_weights weights = {};
};

} // namespace

TEST_F(Weights, MapsAligned) {
  ASSERT_EQ(map(), CAMEO_OK);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(weights.base) % CAMEO_ALIGNMENT, 0u);
  EXPECT_EQ(std::string(static_cast<const char *>(weights.base), 100), std::string(100, 'w'));
}

TEST_F(Weights, ModelWithItsOwnWeightsNeedsNoFile) {
  model.description.external_weights_hash = 0;
  EXPECT_EQ(cameo_weights_map(nullptr, &model.description, &weights), CAMEO_OK);
  EXPECT_EQ(weights.base, nullptr);
}

TEST_F(Weights, RefusesAMissingFile) {
  EXPECT_EQ(cameo_weights_map("/nonexistent/weights", &model.description, &weights), CAMEO_IO_ERROR);
}

TEST_F(Weights, RefusesAShortFile) {
  EXPECT_EQ(map(99), CAMEO_WEIGHTS_MISMATCH);
  EXPECT_EQ(weights.mapping, nullptr);
}

TEST_F(Weights, RefusesAnotherModelsFile) {
  header.hash = 0x4321;
  EXPECT_EQ(map(), CAMEO_WEIGHTS_MISMATCH);
}

TEST_F(Weights, RefusesAnotherKindOfFile) {
  header.magic[0] = 'x';
  EXPECT_EQ(map(), CAMEO_WEIGHTS_MISMATCH);
}

TEST_F(Weights, RefusesAnotherVersion) {
  header.abi_version = CAMEO_ABI_VERSION + 1;
  EXPECT_EQ(map(), CAMEO_ABI_MISMATCH);
}

TEST_F(Weights, RefusesNullArguments) {
  EXPECT_EQ(cameo_weights_map(nullptr, &model.description, &weights), CAMEO_INVALID_ARGUMENT);
  EXPECT_EQ(cameo_weights_map(path.c_str(), nullptr, &weights), CAMEO_INVALID_ARGUMENT);
  EXPECT_EQ(cameo_weights_map(path.c_str(), &model.description, nullptr), CAMEO_INVALID_ARGUMENT);
}
