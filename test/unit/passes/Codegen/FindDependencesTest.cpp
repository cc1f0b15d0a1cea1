// The dependences between the steps of a run that one launch executes.
#include "passes/Codegen/Gpu/FindDependences.h"

#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace cameo;
using llvm::SmallVector;
using Base = BufferPlace::Base;

namespace {

class FindDependencesTest : public testing::Test {
protected:
  FindDependencesTest() {
    context.loadDialect<DimDialect, task::TaskDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
    uses["move"] = {{true, false}, {false, true}};
    uses["sum"] = {{true, true}};
    plan.outputs.resize(1);
  }

  static BufferPlace arena(int64_t offset, std::optional<int64_t> bytes = 64) {
    return {Base::Arena, 0, offset, bytes};
  }

  void add(llvm::StringRef kernel, std::initializer_list<BufferPlace> buffers, const Dim &extent = 1) {
    PlannedStep &step = plan.steps.emplace_back();
    step.kernel = kernel.str();
    step.buffers = buffers;
    step.extent = extent;
  }

  std::vector<SmallVector<unsigned>> found() const { return findDependences(plan, uses); }
  Dim rows() { return Dim::named(mlir::StringAttr::get(&context, "rows")); }

  mlir::MLIRContext context;
  ModelPlan plan;
  BufferUses uses;
};

using Waits = std::vector<SmallVector<unsigned>>;

TEST_F(FindDependencesTest, ReadersWaitForWritersAndWritersForReaders) {
  add("move", {{Base::Input, 0, 0, 64}, arena(0)});
  add("move", {arena(0), arena(64)});
  add("move", {arena(0), arena(128)});
  add("move", {{Base::Input, 0, 0, 64}, arena(0)}); // waits for both steps that read the overwritten range
  EXPECT_EQ(found(), (Waits{{}, {0}, {0}, {1, 2}}));
}

TEST_F(FindDependencesTest, AnOutputInTheMemoryOfAnInputIsThatInput) {
  plan.outputs[0].sharedInput = 0;
  add("move", {{Base::Input, 0, 0, 64}, arena(0)});
  add("move", {arena(64), {Base::Output, 0, 0, 64}}); // overwrites what the first step reads
  add("move", {{Base::Output, 0, 0, 64}, arena(128)});
  EXPECT_EQ(found(), (Waits{{}, {0}, {1}}));
}

TEST_F(FindDependencesTest, RangesThatDoNotTouchAreApart) {
  add("move", {{Base::Input, 0, 0, 64}, arena(0)});
  add("move", {{Base::Input, 0, 0, 64}, arena(64)});
  add("sum", {arena(32, 32)});
  add("sum", {{Base::Output, 0, 0, 32}});
  add("sum", {{Base::Slot, 0, 0, std::nullopt}});
  add("sum", {{Base::Slot, 1, 0, std::nullopt}});
  EXPECT_EQ(found(), (Waits{{}, {}, {0}, {}, {}, {}}));
}

TEST_F(FindDependencesTest, SizesOfTheRunReachAnywhereBehindTheirBegin) {
  add("sum", {arena(0)});
  add("sum", {arena(128)});
  add("sum", {arena(64, std::nullopt)});
  EXPECT_EQ(found(), (Waits{{}, {}, {1}}));
}

TEST_F(FindDependencesTest, ConstantsAndSizesAreNeverWritten) {
  add("move", {{Base::Weights, 0, 0, 64}, arena(0)});
  add("move", {{Base::Weights, 0, 0, 64}, arena(64)});
  EXPECT_EQ(found(), (Waits{{}, {}}));
}

TEST_F(FindDependencesTest, WhatAnotherOneWaitsForIsLeftOut) {
  add("sum", {arena(0)});
  add("sum", {arena(0)});
  add("sum", {arena(0)});
  EXPECT_EQ(found(), (Waits{{}, {0}, {1}}));
}

TEST_F(FindDependencesTest, AStepThatMayHaveNothingToDoWaitsForNoOne) {
  add("sum", {arena(0)});
  add("sum", {arena(0)}, rows());
  add("sum", {arena(0)});
  EXPECT_EQ(found(), (Waits{{}, {0}, {0, 1}}));
}

TEST_F(FindDependencesTest, CopiesReadOneBufferAndWriteTheOther) {
  add("sum", {arena(0)});
  add("sum", {arena(64)});
  add("", {arena(0), arena(128)});
  plan.steps.back().kind = PlannedStep::Kind::Copy;
  plan.steps.back().bytes = 64;
  add("move", {arena(128), arena(192)});
  EXPECT_EQ(found(), (Waits{{}, {}, {0}, {2}}));
}

TEST_F(FindDependencesTest, UsesAreReadOffAKernel) {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>, %sum: memref<64xf32>, %unused: memref<64xf32>,
                      %chosen: memref<64xf32>, %block: index) attributes {task.block = #task.block<threads = 64>} {
      %part = memref.subview %in[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
      %x = memref.load %part[%block] : memref<32xf32, strided<[1], offset: 32>>
      memref.store %x, %out[%block] : memref<64xf32>
      %y = memref.load %sum[%block] : memref<64xf32>
      memref.store %y, %sum[%block] : memref<64xf32>
      %true = arith.constant true
      scf.if %true {
        memref.store %y, %chosen[%block] : memref<64xf32>
      }
      return
    })",
                                                                                     &context);
  ASSERT_TRUE(module);
  SmallVector<BufferUse> found = findBufferUses(*module).lookup("kernel");
  ASSERT_EQ(found.size(), 5u);
  auto is = [&](unsigned buffer, bool isRead, bool isWritten) {
    return found[buffer].isRead == isRead && found[buffer].isWritten == isWritten;
  };
  EXPECT_TRUE(is(0, true, false));
  EXPECT_TRUE(is(1, false, true));
  EXPECT_TRUE(is(2, true, true));
  EXPECT_TRUE(is(3, false, false));
  EXPECT_TRUE(is(4, false, true));
}

} // namespace
