#include "utils/Driver/Run/ParseTensor.h"

#include <gtest/gtest.h>

using namespace cameo;

static std::string messageOf(llvm::Expected<Tensor> tensor) { return tensor ? "" : llvm::toString(tensor.takeError()); }

TEST(ParseTensor, ReadsAllElementsOrOne) {
  Tensor matrix = llvm::cantFail(parseTensor("x", CAMEO_INT64, {2, 2}, "1, -2,3,4"));
  EXPECT_EQ(matrix.elements<int64_t>(), (llvm::ArrayRef<int64_t>{1, -2, 3, 4}));
  Tensor filled = llvm::cantFail(parseTensor("x", CAMEO_FLOAT16, {3}, "0.5"));
  EXPECT_EQ(filled.elements<uint16_t>(), llvm::ArrayRef<uint16_t>(std::vector<uint16_t>(3, 0x3800)));
  Tensor scalar = llvm::cantFail(parseTensor("x", CAMEO_BOOL, {}, "true"));
  EXPECT_EQ(scalar.valueAt(0), 1);
}

TEST(ParseTensor, UnknownSizeOfAVectorIsTheNumberOfNumbers) {
  Tensor vector = llvm::cantFail(parseTensor("x", CAMEO_FLOAT64, {-1}, "1e-3,inf"));
  EXPECT_EQ(vector.shape, (llvm::ArrayRef<int64_t>{2}));
  EXPECT_EQ(messageOf(parseTensor("x", CAMEO_FLOAT32, {2, -1}, "1")), "expected known sizes for the constant 'x'");
}

TEST(ParseTensor, RefusesOtherText) {
  EXPECT_EQ(messageOf(parseTensor("x", CAMEO_INT8, {1}, "300")),
            "expected numbers of int8 for the constant 'x', got '300'");
  EXPECT_EQ(messageOf(parseTensor("x", CAMEO_BOOL, {1}, "2")),
            "expected numbers of bool for the constant 'x', got '2'");
  EXPECT_EQ(messageOf(parseTensor("x", CAMEO_FLOAT32, {3}, "1,2")),
            "expected one number or 3 for the constant 'x', got 2");
  EXPECT_EQ(messageOf(parseTensor("x", CAMEO_STRING, {1}, "a")),
            "expected numbers of string for the constant 'x', got 'a'");
}
