#include "utils/Driver/Run/SequenceOutputs.h"

#include <gtest/gtest.h>

using namespace cameo;

static Tensor vector(const std::string &name, llvm::ArrayRef<float> values) {
  Tensor tensor(name, CAMEO_FLOAT32, {static_cast<int64_t>(values.size())});
  llvm::copy(values, tensor.elements<float>().begin());
  return tensor;
}

static std::vector<Tensor> sequence(llvm::ArrayRef<std::vector<float>> elements) {
  std::vector<Tensor> tensors;
  for (const std::vector<float> &element : elements)
    tensors.push_back(vector("", element));
  return makeSequenceOutputs("list", std::move(tensors));
}

static std::vector<std::string> namesOf(llvm::ArrayRef<Tensor> outputs) {
  std::vector<std::string> names;
  for (const Tensor &output : outputs)
    names.push_back(output.name);
  return names;
}

TEST(SequenceOutputs, ElementsAndLength) {
  std::vector<Tensor> outputs = sequence({{1, 2}, {3}});
  EXPECT_EQ(namesOf(outputs), (std::vector<std::string>{"list_0", "list_1", "list_length"}));
  EXPECT_EQ(outputs[2].elements<int64_t>()[0], 2);
}

TEST(SequenceOutputs, RemovesWhatIsBeyondTheLength) {
  std::vector<Tensor> outputs = sequence({{1}, {2}});
  outputs.push_back(vector("list_2", {3}));
  outputs.push_back(vector("list_3", {4}));
  outputs.push_back(vector("other_3", {5}));
  removeBeyondLengths(outputs);
  EXPECT_EQ(namesOf(outputs), (std::vector<std::string>{"list_0", "list_1", "list_length", "other_3"}));
}

TEST(SequenceOutputs, KeepsOutputsThatAreNoElements) {
  std::vector<Tensor> outputs = sequence({{1}});
  outputs.front().name = "list_1";
  removeBeyondLengths(outputs);
  EXPECT_EQ(namesOf(outputs), (std::vector<std::string>{"list_1", "list_length"}));
}

TEST(SequenceOutputs, StacksSlices) {
  std::vector<Tensor> outputs = sequence({{1, 2}, {3, 4}, {5, 6}}), form;
  form.emplace_back("list", CAMEO_FLOAT32, llvm::ArrayRef<int64_t>{3, 2});
  arrangeSequences(outputs, form);
  ASSERT_EQ(namesOf(outputs), std::vector<std::string>{"list"});
  EXPECT_EQ(outputs[0].shape, form[0].shape);
  EXPECT_EQ(outputs[0].elements<float>(), (llvm::ArrayRef<float>{1, 2, 3, 4, 5, 6}));
}

TEST(SequenceOutputs, StacksStrings) {
  std::vector<Tensor> elements, form;
  for (const char *text : {"a", "bc"}) {
    elements.emplace_back("", CAMEO_STRING, llvm::ArrayRef<int64_t>{});
    elements.back().setString(0, text);
  }
  std::vector<Tensor> outputs = makeSequenceOutputs("list", std::move(elements));
  form.emplace_back("list", CAMEO_STRING, llvm::ArrayRef<int64_t>{2});
  arrangeSequences(outputs, form);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].stringAt(0), "a");
  EXPECT_EQ(outputs[0].stringAt(1), "bc");
}

TEST(SequenceOutputs, AnEmptySequenceHasNoSlices) {
  std::vector<Tensor> outputs = sequence({}), form;
  form.emplace_back("list", CAMEO_INT64, llvm::ArrayRef<int64_t>{0, 4});
  arrangeSequences(outputs, form);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].type, CAMEO_INT64);
  EXPECT_EQ(outputs[0].shape, form[0].shape);
}

TEST(SequenceOutputs, KeepsElementsThatDiffer) {
  std::vector<Tensor> outputs = sequence({{1, 2}, {3}}), form;
  form.emplace_back("list", CAMEO_FLOAT32, llvm::ArrayRef<int64_t>{2, 2});
  arrangeSequences(outputs, form);
  EXPECT_EQ(outputs.size(), 3u);
}

TEST(SequenceOutputs, TheLengthIsKeptWhereTheOtherSideHasIt) {
  std::vector<Tensor> outputs = sequence({{1}}), known = sequence({{1}});
  std::vector<Tensor> form = sequence({{2}});
  arrangeSequences(outputs, form);
  EXPECT_EQ(outputs.size(), 2u);
  form.pop_back();
  arrangeSequences(known, form);
  EXPECT_EQ(namesOf(known), std::vector<std::string>{"list_0"});
}
