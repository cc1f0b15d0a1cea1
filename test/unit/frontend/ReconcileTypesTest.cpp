#include "frontend/ShapeInference/ReconcileTypes.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/IR/Diagnostics.h"

#include <gtest/gtest.h>

using namespace cameo;
using namespace mlir;

namespace {

class ReconcileTypesTest : public testing::Test {
protected:
  ReconcileTypesTest() : handler(&context, [this](Diagnostic &diagnostic) { error = diagnostic.str(); }) {
    context.loadDialect<cameo::onnx::OnnxDialect>();
  }

  RankedTensorType tensor(ArrayRef<Dim> dims) { return cameo::onnx::makeTensorType(dims, Float32Type::get(&context)); }
  Dim named(StringRef name) { return Dim::named(StringAttr::get(&context, name)); }
  FailureOr<Type> reconcile(Type inferred, TensorType stated, bool isStale = false) {
    return reconcileTypes(inferred, {"y", stated, isStale}, UnknownLoc::get(&context));
  }

  MLIRContext context;
  std::string error;
  ScopedDiagnosticHandler handler;
};

TEST_F(ReconcileTypesTest, UnknownTakesWhatIsStated) {
  EXPECT_EQ(*reconcile(tensor({Dim::unknown(), 3}), tensor({4, 3})), tensor({4, 3}));
  EXPECT_EQ(*reconcile(UnrankedTensorType::get(Float32Type::get(&context)), tensor({4})), tensor({4}));
}

TEST_F(ReconcileTypesTest, AStatedNameIsNoSize) {
  EXPECT_EQ(*reconcile(tensor({Dim::unknown(), 3}), tensor({named("n"), 3})), tensor({Dim::unknown(), 3}));
  EXPECT_EQ(*reconcile(UnrankedTensorType::get(Float32Type::get(&context)), tensor({named("n"), 4})),
            tensor({Dim::unknown(), 4}));
}

TEST_F(ReconcileTypesTest, InferredNameOutweighsAStatedNumber) {
  EXPECT_EQ(*reconcile(tensor({named("batch"), 3}), tensor({1, 3})), tensor({named("batch"), 3}));
}

TEST_F(ReconcileTypesTest, InferredNumberOutweighsAStatedName) {
  EXPECT_EQ(*reconcile(tensor({2, 3}), tensor({named("batch"), 3})), tensor({2, 3}));
}

TEST_F(ReconcileTypesTest, ContradictionsAreErrors) {
  EXPECT_TRUE(failed(reconcile(tensor({2, 3}), tensor({2, 4}))));
  EXPECT_EQ(error, "expected 'y' to be 'tensor<2x4xf32>' as the model states, got 'tensor<2x3xf32>'");
  EXPECT_TRUE(failed(reconcile(tensor({2, 3}), tensor({2, 3, 1}))));
  EXPECT_TRUE(failed(reconcile(RankedTensorType::get({2, 3}, Float64Type::get(&context)), tensor({2, 3}))));
}

TEST_F(ReconcileTypesTest, StaleSizesGiveWay) {
  EXPECT_EQ(*reconcile(tensor({4, 3}), tensor({1, 3}), /*isStale=*/true), tensor({4, 3}));
}

} // namespace
