#include "frontend/Import/Model/NodeOrder.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"

#include <gtest/gtest.h>

using namespace cameo;
using namespace mlir;

namespace {

struct Ordered {
  FailureOr<SmallVector<unsigned>> order;
  std::string error;
  unsigned errorNode = 0;
};

Ordered order(ArrayRef<NodeNames> nodes, const llvm::StringSet<> &known = {}) {
  MLIRContext context;
  Ordered result{failure(), "", 0};
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) { result.error = diagnostic.str(); });
  auto emitNodeError = [&](unsigned node, StringRef) {
    result.errorNode = node;
    return emitError(UnknownLoc::get(&context));
  };
  result.order = orderNodes(nodes, [&](StringRef name) { return known.contains(name); }, emitNodeError);
  return result;
}

TEST(NodeOrder, KeepsAGivenOrder) {
  Ordered result = order({{{"x"}, {"a"}}, {{"x"}, {"b"}}, {{"a", "b"}, {"c"}}}, {"x"});
  ASSERT_TRUE(succeeded(result.order));
  EXPECT_EQ(*result.order, (SmallVector<unsigned>{0, 1, 2}));
}

TEST(NodeOrder, SortsNodesBehindWhatTheyUse) {
  Ordered result = order({{{"b"}, {"c"}}, {{"a", "a"}, {"b"}}, {{}, {"a"}}});
  ASSERT_TRUE(succeeded(result.order));
  EXPECT_EQ(*result.order, (SmallVector<unsigned>{2, 1, 0}));
}

TEST(NodeOrder, CycleIsAnErrorAtOneOfItsNodes) {
  Ordered result = order({{{"x"}, {"a"}}, {{"a", "d"}, {"b"}}, {{"b"}, {"c"}}, {{"c"}, {"d"}}, {{"d"}, {"e"}}}, {"x"});
  EXPECT_TRUE(failed(result.order));
  EXPECT_EQ(result.error, "expected no cycle, got one through 'd', 'c', 'b'");
  EXPECT_EQ(result.errorNode, 1u);
}

TEST(NodeOrder, NodeThatUsesItselfIsACycle) {
  EXPECT_EQ(order({{{"a"}, {"a"}}}).error, "expected no cycle, got one through 'a'");
}

TEST(NodeOrder, InputThatNobodyMakesIsAnError) {
  Ordered result = order({{{}, {"a"}}, {{"a", "nowhere"}, {"b"}}});
  EXPECT_NE(result.error.find("expected input 'nowhere' to be"), std::string::npos);
  EXPECT_EQ(result.errorNode, 1u);
}

TEST(NodeOrder, NameMadeTwiceIsAnError) {
  Ordered result = order({{{}, {"a"}}, {{}, {"a"}}});
  EXPECT_EQ(result.error, "expected a new name for an output, got 'a', which node #0 makes");
  EXPECT_NE(order({{{}, {"x"}}}, {"x"}).error.find("which is an input or an initializer"), std::string::npos);
}

TEST(NodeOrder, LongReversedChainIsOrdered) {
  std::vector<std::string> names;
  for (int i = 0; i <= 50000; ++i)
    names.push_back("v" + std::to_string(i));
  SmallVector<NodeNames> nodes;
  for (int i = 50000; i > 0; --i)
    nodes.push_back({{names[i - 1]}, {names[i]}});
  Ordered result = order(nodes, {"v0"});
  ASSERT_TRUE(succeeded(result.order));
  EXPECT_EQ(result.order->front(), 49999u);
}

} // namespace
