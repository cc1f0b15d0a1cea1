#include "utils/Driver/Run/SequenceTensors.h"

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

TEST(SequenceTensors, ElementsAndLength) {
  std::vector<Tensor> outputs = sequence({{1, 2}, {3}});
  EXPECT_EQ(namesOf(outputs), (std::vector<std::string>{"list_0", "list_1", "list_length"}));
  EXPECT_EQ(outputs[2].elements<int64_t>()[0], 2);
}

TEST(SequenceTensors, RemovesWhatIsBeyondTheLength) {
  std::vector<Tensor> outputs = sequence({{1}, {2}});
  outputs.push_back(vector("list_2", {3}));
  outputs.push_back(vector("list_3", {4}));
  outputs.push_back(vector("other_3", {5}));
  removeUnusedOutputs(outputs);
  EXPECT_EQ(namesOf(outputs), (std::vector<std::string>{"list_0", "list_1", "list_length", "other_3"}));
}

TEST(SequenceTensors, KeepsOutputsThatAreNoElements) {
  std::vector<Tensor> outputs = sequence({{1}});
  outputs.front().name = "list_1";
  removeUnusedOutputs(outputs);
  EXPECT_EQ(namesOf(outputs), (std::vector<std::string>{"list_1", "list_length"}));
}

TEST(SequenceTensors, StacksSlices) {
  std::vector<Tensor> outputs = sequence({{1, 2}, {3, 4}, {5, 6}}), form;
  form.emplace_back("list", CAMEO_FLOAT32, llvm::ArrayRef<int64_t>{3, 2});
  arrangeOutputs(outputs, form);
  ASSERT_EQ(namesOf(outputs), std::vector<std::string>{"list"});
  EXPECT_EQ(outputs[0].shape, form[0].shape);
  EXPECT_EQ(outputs[0].elements<float>(), (llvm::ArrayRef<float>{1, 2, 3, 4, 5, 6}));
}

TEST(SequenceTensors, StacksStrings) {
  std::vector<Tensor> elements, form;
  for (const char *text : {"a", "bc"}) {
    elements.emplace_back("", CAMEO_STRING, llvm::ArrayRef<int64_t>{});
    elements.back().setString(0, text);
  }
  std::vector<Tensor> outputs = makeSequenceOutputs("list", std::move(elements));
  form.emplace_back("list", CAMEO_STRING, llvm::ArrayRef<int64_t>{2});
  arrangeOutputs(outputs, form);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].stringAt(0), "a");
  EXPECT_EQ(outputs[0].stringAt(1), "bc");
}

TEST(SequenceTensors, AnEmptySequenceHasNoSlices) {
  std::vector<Tensor> outputs = sequence({}), form;
  form.emplace_back("list", CAMEO_INT64, llvm::ArrayRef<int64_t>{0, 4});
  arrangeOutputs(outputs, form);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].type, CAMEO_INT64);
  EXPECT_EQ(outputs[0].shape, form[0].shape);
}

TEST(SequenceTensors, KeepsElementsThatDiffer) {
  std::vector<Tensor> outputs = sequence({{1, 2}, {3}}), form;
  form.emplace_back("list", CAMEO_FLOAT32, llvm::ArrayRef<int64_t>{2, 2});
  arrangeOutputs(outputs, form);
  EXPECT_EQ(outputs.size(), 3u);
}

TEST(SequenceTensors, TheLengthIsKeptWhereTheOtherSideHasIt) {
  std::vector<Tensor> outputs = sequence({{1}}), known = sequence({{1}});
  std::vector<Tensor> form = sequence({{2}});
  arrangeOutputs(outputs, form);
  EXPECT_EQ(outputs.size(), 2u);
  form.pop_back();
  arrangeOutputs(known, form);
  EXPECT_EQ(namesOf(known), std::vector<std::string>{"list_0"});
}

static Tensor presence(bool isPresent) {
  Tensor tensor = makeAbsentOutput("value");
  tensor.elements<bool>()[0] = isPresent;
  return tensor;
}

TEST(SequenceTensors, RemovesAnOptionalOutputThatIsAbsent) {
  std::vector<Tensor> absent, present;
  for (auto *outputs : {&absent, &present}) {
    outputs->push_back(vector("value", {1}));
    outputs->push_back(presence(outputs == &present));
    removeUnusedOutputs(*outputs);
  }
  EXPECT_EQ(namesOf(absent), std::vector<std::string>{"value_present"});
  EXPECT_EQ(namesOf(present), (std::vector<std::string>{"value", "value_present"}));
}

TEST(SequenceTensors, PresenceMayBeSaidByTheOutput) {
  std::vector<Tensor> value, none, present, absent;
  value.push_back(vector("value", {1}));
  present.push_back(vector("value", {1}));
  present.push_back(presence(true));
  absent.push_back(presence(false));
  arrangeOutputs(present, value);
  EXPECT_EQ(namesOf(present), std::vector<std::string>{"value"});
  arrangeOutputs(absent, value);
  EXPECT_EQ(namesOf(absent), std::vector<std::string>{"value_present"}) << "the other side has a value";
  arrangeOutputs(absent, none);
  EXPECT_TRUE(absent.empty());
}

TEST(SequenceTensors, FindsASequence) {
  std::vector<Tensor> tensors = sequence({{1}, {2}});
  EXPECT_EQ(findSequence(tensors, "list").size(), 2u);
  EXPECT_TRUE(findSequence(tensors, "other").empty());
}
