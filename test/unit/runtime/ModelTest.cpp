#include "test/unit/runtime/TestModel.h"

#include <gtest/gtest.h>

using cameo::test::TestModel;

TEST(ModelCheck, AcceptsAGoodDescription) {
  TestModel model;
  EXPECT_EQ(cameo_model_check(&model.description), CAMEO_OK);
}

TEST(ModelCheck, RefusesNull) { EXPECT_EQ(cameo_model_check(nullptr), CAMEO_INVALID_ARGUMENT); }

TEST(ModelCheck, RefusesAnotherVersion) {
  TestModel model;
  model.description.abi_version = CAMEO_ABI_VERSION + 1;
  EXPECT_EQ(cameo_model_check(&model.description), CAMEO_ABI_MISMATCH);
}

TEST(ModelCheck, RefusesAnotherSize) {
  TestModel model;
  model.description.struct_bytes -= 8;
  EXPECT_EQ(cameo_model_check(&model.description), CAMEO_ABI_MISMATCH);
}

TEST(ModelCheck, RefusesMissingFunctionsAndTables) {
  TestModel noRun, noInputs, noTasks, noSymbols, noDerived, noDerivedSize;
  noRun.description.run = nullptr;
  noInputs.description.inputs = nullptr;
  noTasks.description.tasks = nullptr;
  noSymbols.description.symbols = nullptr;
  noDerived.description.derived = nullptr;
  noDerivedSize.description.derived_size = nullptr;
  for (const TestModel *model : {&noRun, &noInputs, &noTasks, &noSymbols, &noDerived, &noDerivedSize})
    EXPECT_EQ(cameo_model_check(&model->description), CAMEO_INVALID_ARGUMENT);
}

TEST(ModelCheck, RefusesASizeTheModelDoesNotHave) {
  TestModel model;
  model.shape[0] = -3;
  EXPECT_EQ(cameo_model_check(&model.description), CAMEO_INVALID_ARGUMENT);
}

TEST(ModelCheck, RefusesASizeThatIsNotTheShapes) {
  TestModel model;
  model.inputs[1].size_bytes = 79;
  EXPECT_EQ(cameo_model_check(&model.description), CAMEO_INVALID_ARGUMENT);
}

TEST(ModelCheck, RefusesAnUnknownElementType) {
  TestModel model;
  model.outputs[0].element_type = 14; // complex
  EXPECT_EQ(cameo_model_check(&model.description), CAMEO_INVALID_ARGUMENT);
}

TEST(TensorBytes, MultipliesSymbolsIn) {
  TestModel model;
  int64_t symbols[] = {7};
  uint64_t bytes = 0;
  EXPECT_EQ(cameo_tensor_bytes(&model.description, &model.inputs[0], symbols, &bytes), CAMEO_OK);
  EXPECT_EQ(bytes, 7u * 3 * 4);
  EXPECT_EQ(cameo_tensor_bytes(&model.description, &model.inputs[0], nullptr, &bytes), CAMEO_INVALID_ARGUMENT);
  symbols[0] = -1;
  EXPECT_EQ(cameo_tensor_bytes(&model.description, &model.inputs[0], symbols, &bytes), CAMEO_INVALID_ARGUMENT);
}

TEST(TensorBytes, AsksTheModelForDerivedSizes) {
  TestModel model;
  int64_t symbols[] = {7}, shape[2] = {0, 0};
  uint64_t bytes = 0;
  EXPECT_EQ(cameo_tensor_bytes(&model.description, &model.outputs[1], symbols, &bytes), CAMEO_OK);
  EXPECT_EQ(bytes, 6u * 3 * 4);
  EXPECT_EQ(cameo_tensor_shape(&model.description, &model.outputs[1], symbols, shape), CAMEO_OK);
  EXPECT_EQ(shape[0], 6);
  EXPECT_EQ(shape[1], 3);
  symbols[0] = 0;
  EXPECT_EQ(cameo_tensor_bytes(&model.description, &model.outputs[1], symbols, &bytes), CAMEO_INVALID_ARGUMENT);
  EXPECT_EQ(cameo_tensor_shape(&model.description, &model.outputs[1], symbols, shape), CAMEO_INVALID_ARGUMENT);
}

TEST(TensorShape, GivesTheGreatestSizesOfWhatDataDecides) {
  TestModel model;
  model.description.greatest_count = 1;
  model.derivedShape[0] = -3;
  int64_t symbols[] = {7}, shape[2] = {0, 0};
  EXPECT_EQ(cameo_model_check(&model.description), CAMEO_OK);
  EXPECT_EQ(cameo_tensor_is_data_sized(&model.description, &model.outputs[0]), 0);
  EXPECT_EQ(cameo_tensor_is_data_sized(&model.description, &model.outputs[1]), 1);
  EXPECT_EQ(cameo_tensor_shape(&model.description, &model.outputs[1], symbols, shape), CAMEO_OK);
  EXPECT_EQ(shape[0], 14);
}

TEST(TensorShape, CopiesNumbersWithoutAModel) {
  TestModel model;
  int64_t shape[2] = {0, 0};
  EXPECT_EQ(cameo_tensor_shape(nullptr, &model.inputs[1], nullptr, shape), CAMEO_OK);
  EXPECT_EQ(shape[1], 5);
  EXPECT_EQ(cameo_tensor_shape(nullptr, &model.inputs[0], nullptr, shape), CAMEO_INVALID_ARGUMENT);
  EXPECT_EQ(cameo_tensor_shape(nullptr, &model.inputs[1], nullptr, nullptr), CAMEO_INVALID_ARGUMENT);
}

TEST(TensorBytes, ScalarIsOneElement) {
  cameo_tensor_description scalar = {"s", nullptr, 8, 0, CAMEO_INT64};
  uint64_t bytes = 0;
  EXPECT_EQ(cameo_tensor_bytes(nullptr, &scalar, nullptr, &bytes), CAMEO_OK);
  EXPECT_EQ(bytes, 8u);
}

TEST(TensorBytes, RefusesOverflowButNotAnEmptyTensor) {
  int64_t huge[] = {int64_t(1) << 40, int64_t(1) << 40};
  int64_t empty[] = {0, int64_t(1) << 40, int64_t(1) << 40};
  cameo_tensor_description tensor = {"t", huge, 0, 2, CAMEO_UINT8};
  uint64_t bytes = 1;
  EXPECT_EQ(cameo_tensor_bytes(nullptr, &tensor, nullptr, &bytes), CAMEO_INVALID_ARGUMENT);
  tensor.shape = empty;
  tensor.rank = 3;
  EXPECT_EQ(cameo_tensor_bytes(nullptr, &tensor, nullptr, &bytes), CAMEO_OK);
  EXPECT_EQ(bytes, 0u);
  std::swap(empty[0], empty[2]);
  EXPECT_EQ(cameo_tensor_bytes(nullptr, &tensor, nullptr, &bytes), CAMEO_OK);
  EXPECT_EQ(bytes, 0u);
}

TEST(ElementBytes, KnowsEveryType) {
  EXPECT_EQ(cameo_element_bytes(CAMEO_BOOL), 1u);
  EXPECT_EQ(cameo_element_bytes(CAMEO_BFLOAT16), 2u);
  for (int32_t narrow = CAMEO_FLOAT8E4M3FN; narrow <= CAMEO_INT2; ++narrow)
    EXPECT_EQ(cameo_element_bytes(narrow), 1u);
  EXPECT_EQ(cameo_element_bytes(CAMEO_FLOAT32), 4u);
  EXPECT_EQ(cameo_element_bytes(CAMEO_FLOAT64), 8u);
  EXPECT_EQ(cameo_element_bytes(CAMEO_STRING), sizeof(const char *));
  EXPECT_EQ(cameo_element_bytes(14 /* complex */), 0u);
}
