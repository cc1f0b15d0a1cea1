// Models whose weights are too large for an object.
#include "utils/Driver/CompileModel.h"
#include "utils/Driver/Run/ModelRunner.h"

#include <gtest/gtest.h>

using namespace cameo;

namespace {

/// Runs the model with `largest` as the maximum bytes of weights in an object.
std::vector<float> runModel(std::optional<uint64_t> largest, bool expectsFile) {
  CompileOptions options;
  options.model = MODEL_WITH_WEIGHTS;
  options.largestWeights = largest;
  std::unique_ptr<ModelLibrary> library = loadModel(options);
  EXPECT_TRUE(library);
  EXPECT_EQ(library->weightsPath().empty(), !expectsFile);
  EXPECT_EQ(library->description().external_weights_hash != 0, expectsFile);
  auto inputs = llvm::cantFail(makeInputs(*library, {}, {}));
  auto runner = llvm::cantFail(ModelRunner::create(*library, {}));
  llvm::cantFail(runner->bindInputs(inputs));
  llvm::cantFail(runner->run());
  std::vector<Tensor> outputs = runner->takeOutputs();
  auto elements = outputs.front().elements<float>();
  return {elements.begin(), elements.end()};
}

TEST(LoadModel, WeightsThatAnObjectCannotHoldGoBesideIt) {
  EXPECT_EQ(runModel(16, /*expectsFile=*/true), runModel(std::nullopt, /*expectsFile=*/false));
}

TEST(LoadModel, CompilingAloneAsksForAFile) {
  CompileOptions options;
  options.model = MODEL_WITH_WEIGHTS;
  options.emit = EmitKind::Lib;
  options.output = testing::TempDir() + "large.so";
  options.largestWeights = 16;
  testing::internal::CaptureStderr();
  EXPECT_TRUE(llvm::failed(compileModel(options)));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("name a file for them with --weights"), std::string::npos);
}

} // namespace
