#include "frontend/Import/Model/DiagnosticPrinter.h"
#include "frontend/Import/Model/NodeLocation.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace cameo;
using namespace mlir;

namespace {

std::string print(MLIRContext &context, llvm::function_ref<void()> emit) {
  std::string text;
  llvm::raw_string_ostream os(text);
  DiagnosticPrinter printer(&context, os);
  emit();
  return text;
}

TEST(DiagnosticPrinter, NamesTheNode) {
  MLIRContext context;
  Location loc = getNodeLocation(&context, "resnet50.onnx", 17, "Conv_17");
  EXPECT_EQ(print(context, [&] { emitError(loc) << "expected rank 4, got 3"; }),
            "resnet50.onnx: node #17 'Conv_17': error: expected rank 4, got 3\n");
}

TEST(DiagnosticPrinter, NodeWithoutANameHasItsOperator) {
  MLIRContext context;
  Location loc = getNodeLocation(&context, "m.onnx", 3, getNodeName("", 3, "Relu"));
  EXPECT_EQ(describeLocation(loc), "m.onnx: node #3 (Relu)");
}

TEST(DiagnosticPrinter, ValuesAndFiles) {
  MLIRContext context;
  EXPECT_EQ(describeLocation(getValueLocation(&context, "m.onnx", "x")), "m.onnx: value 'x'");
  EXPECT_EQ(describeLocation(getFileLocation(&context, "m.onnx")), "m.onnx");
  EXPECT_EQ(describeLocation(FileLineColLoc::get(&context, "t.mlir", 4, 9)), "t.mlir:4:9");
  EXPECT_EQ(describeLocation(UnknownLoc::get(&context)), "");
}

TEST(DiagnosticPrinter, FusedNodesKeepAllNames) {
  MLIRContext context;
  Location conv = getNodeLocation(&context, "m.onnx", 0, "conv"), relu = getNodeLocation(&context, "m.onnx", 1, "relu");
  EXPECT_EQ(describeLocation(FusedLoc::get(&context, {conv, relu})), "m.onnx: node #0 'conv' fused with 'relu'");
}

TEST(DiagnosticPrinter, OneLineEachAndNotesBelow) {
  MLIRContext context;
  std::string text = print(context, [&] {
    InFlightDiagnostic diagnostic = emitError(getFileLocation(&context, "m.onnx")) << "first\nsecond";
    diagnostic.attachNote(getValueLocation(&context, "m.onnx", "x")) << "made here";
  });
  EXPECT_EQ(text, "m.onnx: error: first second\nm.onnx: value 'x': note: made here\n");
}

TEST(DiagnosticPrinter, CountsErrorsOnly) {
  MLIRContext context;
  std::string text;
  llvm::raw_string_ostream os(text);
  DiagnosticPrinter printer(&context, os);
  emitWarning(UnknownLoc::get(&context)) << "warned";
  emitError(UnknownLoc::get(&context)) << "failed";
  EXPECT_EQ(printer.getNumErrors(), 1u);
  EXPECT_EQ(text, "warning: warned\nerror: failed\n");
}

} // namespace
