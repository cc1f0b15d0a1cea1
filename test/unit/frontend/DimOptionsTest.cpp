#include "frontend/Import/Inputs/DimOptions.h"

#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/IR/Diagnostics.h"

#include <gtest/gtest.h>

using namespace cameo;
using namespace mlir;

namespace {

class DimOptionsTest : public testing::Test {
protected:
  DimOptionsTest() : handler(&context, [this](Diagnostic &diagnostic) { error = diagnostic.str(); }) {
    context.loadDialect<cameo::onnx::OnnxDialect>();
    inputs.push_back({"tokens", {{ShapedType::kDynamic, "batch"}, {ShapedType::kDynamic, "seq"}}});
    inputs.push_back({"mask", {{ShapedType::kDynamic, "batch"}, {ShapedType::kDynamic, "past + seq"}}});
    inputs.push_back({"cache", {{ShapedType::kDynamic, "past"}, {ShapedType::kDynamic, "seq*heads"}}});
    inputs.push_back({"image", {{ShapedType::kDynamic, ""}, {3, ""}}});
  }

  FailureOr<DimOptions> create(const llvm::StringMap<int64_t> &options) {
    return DimOptions::create(options, inputs, UnknownLoc::get(&context));
  }
  std::string errorOf(const llvm::StringMap<int64_t> &options) {
    EXPECT_TRUE(failed(create(options)));
    return error;
  }

  MLIRContext context;
  std::string error;
  ScopedDiagnosticHandler handler;
  SmallVector<StatedInput> inputs;
};

TEST_F(DimOptionsTest, FixesANameEverywhere) {
  FailureOr<DimOptions> options = create({{"batch", 4}});
  ASSERT_TRUE(succeeded(options));
  EXPECT_EQ(options->resolveInput(inputs[0], 0, &context).getSize(), 4);
  EXPECT_EQ(options->resolveInput(inputs[1], 0, &context).getSize(), 4);
  EXPECT_EQ(options->resolveInput(inputs[0], 1, &context).getName().getValue(), "seq");
}

TEST_F(DimOptionsTest, FixesPartsOfASum) {
  FailureOr<DimOptions> options = create({{"seq", 1}});
  ASSERT_TRUE(succeeded(options));
  EXPECT_TRUE(options->resolveInput(inputs[1], 1, &context)
                  .equals(cameo::addDims(Dim::named(StringAttr::get(&context, "past")), Dim(1))));
  options = create({{"seq", 1}, {"past", 7}});
  ASSERT_TRUE(succeeded(options));
  EXPECT_EQ(options->resolveInput(inputs[1], 1, &context).getSize(), 8);
}

TEST_F(DimOptionsTest, AnythingElseIsOneName) {
  FailureOr<DimOptions> options = create({});
  ASSERT_TRUE(succeeded(options));
  EXPECT_EQ(options->resolveInput(inputs[2], 1, &context).getName().getValue(), "seq_heads");
  options = create({{"seq*heads", 6}});
  ASSERT_TRUE(succeeded(options));
  EXPECT_EQ(options->resolveInput(inputs[2], 1, &context).getSize(), 6);
}

TEST_F(DimOptionsTest, StatementsNameNoSizes) {
  FailureOr<DimOptions> options = create({{"seq", 1}});
  ASSERT_TRUE(succeeded(options));
  EXPECT_EQ(options->resolveStated("seq", &context).getName().getValue(), "seq");
  EXPECT_EQ(options->fix(options->resolveStated("seq", &context)).getSize(), 1);
  EXPECT_EQ(options->resolveStated("seq*heads", &context).getName().getValue(), "seq_heads");
  EXPECT_EQ(options->resolveStated("other", &context).getName().getValue(), "other");
  for (StringRef text : {"seq + 1", "seq_heads", "1", "image_0", "min(seq, 0)"})
    EXPECT_TRUE(options->resolveStated(text, &context).isUnknown()) << text.str();
}

TEST_F(DimOptionsTest, FixesADimensionByInputAndAxis) {
  FailureOr<DimOptions> options = create({{"image:0", 2}});
  ASSERT_TRUE(succeeded(options));
  EXPECT_EQ(options->resolveInput(inputs[3], 0, &context).getSize(), 2);
  // The name of this dimension gets the size in all inputs.
  options = create({{"tokens:0", 4}});
  ASSERT_TRUE(succeeded(options));
  EXPECT_EQ(options->resolveInput(inputs[1], 0, &context).getSize(), 4);
}

TEST_F(DimOptionsTest, AcceptsTheSizeOfASumByInputAndAxis) {
  FailureOr<DimOptions> options = create({{"mask:1", 5}, {"past", 3}, {"seq", 2}});
  ASSERT_TRUE(succeeded(options));
  EXPECT_EQ(options->resolveInput(inputs[1], 1, &context).getSize(), 5);
}

TEST_F(DimOptionsTest, NamesADimensionWithoutOne) {
  FailureOr<DimOptions> options = create({});
  ASSERT_TRUE(succeeded(options));
  EXPECT_EQ(options->resolveInput(inputs[3], 0, &context).getName().getValue(), "image_0");
  options = create({{"image_0", 2}});
  ASSERT_TRUE(succeeded(options));
  EXPECT_EQ(options->resolveInput(inputs[3], 0, &context).getSize(), 2);
}

TEST_F(DimOptionsTest, UnknownNameIsAnErrorThatListsTheNames) {
  EXPECT_EQ(errorOf({{"bacth", 4}}), "expected the name of a dimension or input:axis, got 'bacth'; the dimensions of "
                                     "the model are: batch, image_0, past, seq, seq*heads");
}

TEST_F(DimOptionsTest, ContradictionsAreErrors) {
  EXPECT_NE(errorOf({{"batch", -1}}).find("at least 0"), std::string::npos);
  EXPECT_NE(errorOf({{"image:1", 4}}).find("to stay 3, got 4"), std::string::npos);
  EXPECT_NE(errorOf({{"image:5", 4}}).find("below the rank 2"), std::string::npos);
  EXPECT_NE(errorOf({{"batch", 4}, {"tokens:0", 5}}).find("expected one size"), std::string::npos);
  EXPECT_NE(errorOf({{"mask:1", 4}}).find("expected sizes for the names in 'past + seq'"), std::string::npos);
  EXPECT_NE(errorOf({{"mask:1", 4}, {"past", 3}}).find("expected sizes for the names in 'past + seq'"),
            std::string::npos);
  EXPECT_NE(errorOf({{"mask:1", 4}, {"past", 3}, {"seq", 2}}).find("to be 'past + seq', which is 5, got 4"),
            std::string::npos);
}

} // namespace
