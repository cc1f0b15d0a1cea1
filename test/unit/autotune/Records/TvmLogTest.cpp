#include "autotune/Records/TvmLog.h"

#include <gtest/gtest.h>

using namespace cameo::autotune;

namespace {

/// Returns extents and pieces as text: "512: 512 64 8".
std::string textOf(const std::vector<TvmLoop> &loops) {
  std::string text;
  for (const TvmLoop &loop : loops) {
    text += (text.empty() ? "" : "; ") + std::to_string(loop.extent) + ":";
    for (int64_t piece : loop.pieces)
      text += " " + std::to_string(piece);
  }
  return text;
}

TvmLine parse(llvm::StringRef line) { return llvm::cantFail(parseTvmLine(line)); }

/// Returns a log line of the auto-scheduler with these steps.
std::string ansor(const std::string &steps, const std::string &target = "llvm -mcpu=core-avx2",
                  const std::string &error = "0") {
  return R"({"i": [["[\"matmul\", 512, 1024, 64]", ")" + target +
         R"(", [16, 64, 64, 0, 0, 0, 0, 0], "", 1, []], [[], [)" + steps + R"(]]], "r": [[0.002, 0.004], )" + error +
         R"(, 0.13, 1700000000], "v": "v0.6"})";
}

const char *const matmulSteps =
    R"(["CHW", 2, "local"], ["SP", 2, 0, 512, [1, 64, 8], 1], ["SP", 2, 4, 64, [2, 32, 1], 1],
  ["SP", 2, 8, 1024, [16], 1], ["RE", 2, [0, 4, 1, 5, 8, 2, 6, 9, 3, 7]], ["FSP", 3, 0, 1, 2], ["CA", 2, 3, 3], ["AN", 3, 0, 3])";

std::string autotvm(const std::string &name, const std::string &arguments, const std::string &entities) {
  return R"({"input": ["llvm -keys=cpu", ")" + name + "\", [" + arguments +
         R"(], {}], "config": {"index": 228, "code_hash": null, "entity": [)" + entities +
         R"(]}, "result": [[0.0006], 0, 0.1, 0], "version": 0.2, "tvm_version": "0.8.0"})";
}

TEST(TvmLog, ReadsTheAutoSchedulersTiles) {
  TvmLine line = parse(ansor(matmulSteps));
  ASSERT_TRUE(line.tiling.has_value()) << line.skipped;
  EXPECT_EQ(textOf(line.tiling->parallel), "512: 512 512 8; 64: 64 32 1");
  EXPECT_EQ(textOf(line.tiling->reductions), "1024: 16");
  EXPECT_DOUBLE_EQ(line.tiling->costSeconds, 0.003);
  EXPECT_EQ(line.tiling->origin, "auto-scheduler, [\"matmul\", 512, 1024, 64], llvm -mcpu=core-avx2");
}

TEST(TvmLog, ReadsAutoTvmsConvolutions) {
  const std::string entities =
      R"(["tile_ic", "sp", [-1, 1]], ["tile_oc", "sp", [-1, 4]], ["tile_ow", "sp", [-1, 7]], ["unroll_kw", "ot", false])";
  TvmLine line = parse(autotvm("conv2d_NCHWc.x86",
                               R"(["TENSOR", [1, 3, 224, 224], "float32"], ["TENSOR", [64, 3, 7, 7], "float32"],
      [2, 2], [3, 3, 3, 3], [1, 1], "NCHW", "NCHW", "float32")",
                               entities));
  ASSERT_TRUE(line.tiling.has_value()) << line.skipped;
  EXPECT_EQ(textOf(line.tiling->parallel), "1:; 112:; 112: 7; 64: 4");
  EXPECT_EQ(textOf(line.tiling->reductions), "3: 1; 7:; 7:");
  line = parse(autotvm("depthwise_conv2d_NCHWc.x86",
                       R"(["TENSOR", [1, 32, 56, 56], "float32"], ["TENSOR", [32, 1, 3, 3], "float32"],
      [1, 1], [1, 1], [1, 1], "NCHW", "NCHW", "float32")",
                       entities));
  ASSERT_TRUE(line.tiling.has_value()) << line.skipped;
  EXPECT_EQ(textOf(line.tiling->parallel), "1:; 56:; 56: 7; 32: 4");
  EXPECT_EQ(textOf(line.tiling->reductions), "3:; 3:");
}

TEST(TvmLog, ReadsAutoTvmsProducts) {
  TvmLine line = parse(autotvm(
      "dense_pack.x86", R"(["TENSOR", [128, 768], "float32"], ["TENSOR", [3072, 768], "float32"], null, "float32")",
      R"(["tile_y", "sp", [-1, 4, 8]], ["tile_x", "sp", [-1, 2, 16]], ["tile_k", "sp", [-1, 12]])"));
  ASSERT_TRUE(line.tiling.has_value()) << line.skipped;
  EXPECT_EQ(textOf(line.tiling->parallel), "128: 32 8; 3072: 32 16");
  EXPECT_EQ(textOf(line.tiling->reductions), "768: 12");
}

TEST(TvmLog, SaysWhyALineIsSkipped) {
  EXPECT_EQ(parse(ansor(matmulSteps, "cuda -arch=sm_70")).skipped, "for another kind of device, cuda");
  EXPECT_EQ(parse(ansor(matmulSteps, "llvm", "4")).skipped, "failed there");
  EXPECT_EQ(parse(ansor(R"(["SP", 2, 0, 512, [null, 64, 8], 1])")).skipped, "splits of unknown sizes");
  EXPECT_EQ(parse(ansor(R"(["SP", 2, 0, 512, [1, 64, 8], 1], ["RF", 2, 4, 3])")).skipped,
            "a sum divided into two stages");
  EXPECT_EQ(parse(ansor(R"(["SP", 2, 0, 512, [64, 8], 1])")).skipped, "tiles of another structure than SSRSRS");
  EXPECT_EQ(parse(ansor(R"(["SP", 2, 0, 512, [9223372036854775807, 9223372036854775807, 8], 1])")).skipped,
            "tiles of another structure than SSRSRS");
  EXPECT_EQ(parse(ansor("")).skipped, "no tiles around a sum");
  EXPECT_EQ(parse(autotvm("tutorial/matmul", "512, 512", "")).skipped,
            "of the template tutorial/matmul, whose knobs are not known");
  EXPECT_EQ(parse(autotvm("dense_pack.x86", "1, 2", "")).skipped,
            "of the template dense_pack.x86, with arguments that are not understood");
}

TEST(TvmLog, RefusesWhatIsNoRecordOfTvm) {
  for (const char *line : {"", "{", "[]", "{}", R"({"i": 3, "r": []})", R"({"i": [[], []], "r": []})",
                           R"({"format": 1, "task": "x"})", R"({"input": [], "config": {}, "result": []})"}) {
    llvm::Expected<TvmLine> parsed = parseTvmLine(line);
    EXPECT_FALSE(static_cast<bool>(parsed)) << line;
    llvm::consumeError(parsed.takeError());
  }
}

} // namespace
