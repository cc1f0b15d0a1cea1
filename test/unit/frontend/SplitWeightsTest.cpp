#include "frontend/Import/Model/SplitWeights.h"

#include <gtest/gtest.h>

using namespace cameo;

namespace {

std::string varint(uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7)
    text.push_back(static_cast<char>(value | 0x80));
  text.push_back(static_cast<char>(value));
  return text;
}

std::string field(int number, const std::string &value) {
  return varint(number << 3 | 2) + varint(value.size()) + value;
}
std::string number(int number, uint64_t value) { return varint(number << 3) + varint(value); }

// Field numbers of onnx.proto.
std::string tensor(const std::string &rawData) { return number(1, rawData.size()) + number(2, 2) + field(9, rawData); }
std::string modelWith(const std::string &initializer) {
  return number(1, 8) + field(7, field(5, initializer) + field(2, "graph"));
}

std::string errorOf(const std::string &file) {
  llvm::Expected<SplitModel> model = splitWeights(file);
  return model ? "" : llvm::toString(model.takeError());
}

TEST(SplitWeights, KeepsWhatHasNoWeights) {
  std::string file = modelWith(tensor("small"));
  llvm::Expected<SplitModel> model = splitWeights(file);
  ASSERT_TRUE(bool(model));
  EXPECT_EQ(model->structure, file);
  EXPECT_TRUE(model->weights.empty());
}

TEST(SplitWeights, TakesOutLargeRawData) {
  std::string data(kMaxInlineBytes + 1, 'w');
  std::string file = modelWith(tensor(data));
  llvm::Expected<SplitModel> model = splitWeights(file);
  ASSERT_TRUE(bool(model));
  ASSERT_EQ(model->weights.size(), 1u);
  EXPECT_EQ(model->weights[0].field, 9);
  EXPECT_EQ(file.substr(model->weights[0].offset, model->weights[0].sizeBytes), data);
  EXPECT_EQ(model->structure, modelWith(number(1, data.size()) + number(2, 2) + number(kWeightField, 1)));
}

TEST(SplitWeights, TakesOutPackedFloats) {
  std::string file = modelWith(field(4, std::string(kMaxInlineBytes * 4, 0)));
  llvm::Expected<SplitModel> model = splitWeights(file);
  ASSERT_TRUE(bool(model));
  ASSERT_EQ(model->weights.size(), 1u);
  EXPECT_EQ(model->weights[0].field, 4);
}

TEST(SplitWeights, FindsTensorsOfAttributes) {
  std::string node = field(4, "Constant") + field(5, field(1, "value") + field(5, tensor(std::string(5000, 'x'))));
  llvm::Expected<SplitModel> model = splitWeights(field(7, field(1, node)));
  ASSERT_TRUE(bool(model));
  EXPECT_EQ(model->weights.size(), 1u);
}

TEST(SplitWeights, DropsForeignMarkers) {
  llvm::Expected<SplitModel> model = splitWeights(modelWith(number(kWeightField, 7)));
  ASSERT_TRUE(bool(model));
  EXPECT_EQ(model->structure, modelWith(""));
}

TEST(SplitWeights, DropsTraining) {
  llvm::Expected<SplitModel> model = splitWeights(number(1, 8) + field(20, "anything"));
  ASSERT_TRUE(bool(model));
  EXPECT_EQ(model->structure, number(1, 8));
}

TEST(SplitWeights, TruncatedFileIsAnError) {
  std::string file = modelWith(tensor(std::string(5000, 'x')));
  // A file that ends anywhere except between two fields of the model.
  for (size_t size : {file.size() - 1, file.size() - 2000, size_t(10), size_t(3)})
    EXPECT_NE(errorOf(file.substr(0, size)).find("got the end of the file"), std::string::npos) << size;
}

TEST(SplitWeights, OtherDataIsAnError) {
  EXPECT_NE(errorOf(std::string(100, '\xff')), "");
  EXPECT_NE(errorOf("PK\x03\x04 a zip file"), "");
  EXPECT_NE(errorOf(std::string(16, '\0')), "");
}

TEST(SplitWeights, DeepNestingIsAnError) {
  std::string graph = field(2, "innermost");
  for (int depth = 0; depth < 200; ++depth)
    graph = field(1, field(5, field(6, graph)));
  EXPECT_NE(errorOf(field(7, graph)).find("levels of nested messages"), std::string::npos);
}

} // namespace
