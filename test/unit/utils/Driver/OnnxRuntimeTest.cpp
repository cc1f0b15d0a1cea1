// The indices in ONNX Runtime's function table, tested with a model and data of ONNX's own tests.
#include "utils/Driver/Run/OnnxRuntime.h"
#include "utils/Driver/Run/CompareTensors.h"
#include "utils/Driver/Run/TensorFile.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

using namespace cameo;

static const std::string testData = "/usr/share/libonnx-testdata/data/node/";

static Tensor read(const std::string &path, const std::string &name) {
  Tensor tensor = llvm::cantFail(readTensorFile(path));
  tensor.name = name;
  return tensor;
}

TEST(OnnxRuntime, RunsAModel) {
  llvm::Expected<std::string> path = findOnnxRuntime();
  if (!path)
    GTEST_SKIP() << llvm::toString(path.takeError());
  std::string folder = testData + "test_gemm_all_attributes/";
  if (!llvm::sys::fs::exists(folder))
    GTEST_SKIP() << "libonnx-testdata is missing";
  auto runtime = llvm::cantFail(OnnxRuntime::load(*path));
  auto session = llvm::cantFail(runtime->open(folder + "model.onnx", 2, OnnxRuntime::Optimisation::All));
  EXPECT_EQ(session->inputNames(), (llvm::ArrayRef<std::string>{"a", "b", "c"}));

  std::vector<Tensor> inputs;
  for (int i = 0; i < 3; ++i)
    inputs.push_back(
        read(folder + "test_data_set_0/input_" + std::to_string(i) + ".pb", std::string(1, char('a' + i))));
  llvm::cantFail(session->bindInputs(inputs));
  llvm::cantFail(session->run());
  llvm::cantFail(session->run());
  std::vector<Tensor> outputs = llvm::cantFail(session->readOutputs());
  Tensor expected = read(folder + "test_data_set_0/output_0.pb", "y");
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].shape, expected.shape);
  EXPECT_TRUE(compareTensors(outputs[0], expected, {}).withinBound);
}

TEST(OnnxRuntime, FixesInputs) {
  llvm::Expected<std::string> path = findOnnxRuntime();
  if (!path)
    GTEST_SKIP() << llvm::toString(path.takeError());
  std::string folder = testData + "test_where_long_example/";
  if (!llvm::sys::fs::exists(folder))
    GTEST_SKIP() << "libonnx-testdata is missing";
  auto runtime = llvm::cantFail(OnnxRuntime::load(*path));
  auto session = llvm::cantFail(runtime->open(folder + "model.onnx", 1, OnnxRuntime::Optimisation::None));
  EXPECT_NE(llvm::toString(session->fixInputs({{"z", "1"}}, {})).find("got 'z'"), std::string::npos);
  llvm::cantFail(session->fixInputs({{"condition", "1,0,0,1"}, {"x", "7"}}, {}));
  std::vector<Tensor> inputs;
  EXPECT_NE(llvm::toString(session->bindInputs(inputs)).find("no value for input 'y'"), std::string::npos);
  inputs.emplace_back("y", CAMEO_INT64, llvm::ArrayRef<int64_t>{2, 2});
  llvm::cantFail(session->bindInputs(inputs));
  llvm::cantFail(session->run());
  std::vector<Tensor> outputs = llvm::cantFail(session->readOutputs());
  EXPECT_EQ(outputs[0].elements<int64_t>(), (llvm::ArrayRef<int64_t>{7, 0, 0, 7}));
}

TEST(OnnxRuntime, PassesSequences) {
  llvm::Expected<std::string> path = findOnnxRuntime();
  if (!path)
    GTEST_SKIP() << llvm::toString(path.takeError());
  std::string folder = testData + "test_sequence_insert_at_back/";
  if (!llvm::sys::fs::exists(folder))
    GTEST_SKIP() << "libonnx-testdata is missing";
  auto runtime = llvm::cantFail(OnnxRuntime::load(*path));
  auto session = llvm::cantFail(runtime->open(folder + "model.onnx", 1, OnnxRuntime::Optimisation::None));
  std::vector<Tensor> inputs;
  for (const char *name : {"sequence_0", "sequence_1", "tensor"})
    inputs.emplace_back(name, CAMEO_INT64, llvm::ArrayRef<int64_t>{3});
  llvm::cantFail(session->bindInputs(inputs));
  llvm::cantFail(session->run());
  std::vector<Tensor> outputs = llvm::cantFail(session->readOutputs());
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_EQ(outputs[2].name, "output_sequence_2");
  EXPECT_EQ(outputs[3].elements<int64_t>()[0], 3);
}

TEST(OnnxRuntime, ReadsOptionalOutputs) {
  llvm::Expected<std::string> path = findOnnxRuntime();
  if (!path)
    GTEST_SKIP() << llvm::toString(path.takeError());
  std::string folder = testData + "test_if_opt/";
  if (!llvm::sys::fs::exists(folder))
    GTEST_SKIP() << "libonnx-testdata is missing";
  auto runtime = llvm::cantFail(OnnxRuntime::load(*path));
  auto session = llvm::cantFail(runtime->open(folder + "model.onnx", 1, OnnxRuntime::Optimisation::None));
  auto run = [&](bool condition) {
    std::vector<Tensor> inputs;
    inputs.emplace_back("cond", CAMEO_BOOL, llvm::ArrayRef<int64_t>{});
    inputs[0].elements<bool>()[0] = condition;
    llvm::cantFail(session->bindInputs(inputs));
    llvm::cantFail(session->run());
    return llvm::cantFail(session->readOutputs());
  };
  std::vector<Tensor> absent = run(true), present = run(false);
  ASSERT_EQ(absent.size(), 1u);
  EXPECT_EQ(absent[0].name, "sequence_present");
  ASSERT_EQ(present.size(), 2u);
  EXPECT_EQ(present[0].name, "sequence_0");
}

TEST(OnnxRuntime, ErrorsComeBack) {
  llvm::Expected<std::string> path = findOnnxRuntime();
  if (!path)
    GTEST_SKIP() << llvm::toString(path.takeError());
  auto runtime = llvm::cantFail(OnnxRuntime::load(*path));
  auto session = runtime->open("/nonexistent.onnx", 1, OnnxRuntime::Optimisation::None);
  EXPECT_NE(llvm::toString(session.takeError()).find("nonexistent"), std::string::npos);
  auto notIt = OnnxRuntime::load("libm.so.6");
  EXPECT_NE(llvm::toString(notIt.takeError()).find("OrtGetApiBase"), std::string::npos);
}
