#include "utils/cameo/CommandLine/CommandLine.h"

#include <gtest/gtest.h>

using namespace cameo;

namespace {

struct Fixture {
  Fixture() {
    line.positional("MODEL", "The model.", model);
    line.group("options");
    line.flag("--fast", "Go fast.", fast);
    line.text("-o", "FILE", "Output.", output);
    line.integer("--threads", "N", "Threads.", threads, 1, 64);
    line.number("--rtol", "R", "Bound.", rtol);
    line.choice("--emit", "What.", {"obj", "asm"}, emit);
    line.repeated("--dim", "NAME=SIZE", "Size.", [this](llvm::StringRef value) {
      dims.push_back(value.str());
      return llvm::Error::success();
    });
    line.repeatedOptional("--extern", "LIST", "Operators.", [this](llvm::StringRef value) {
      externs.push_back(value.str());
      return llvm::Error::success();
    });
  }
  std::string parse(std::vector<const char *> arguments) { return llvm::toString(line.parse(arguments)); }

  CommandLine line{"make", "Makes things."};
  std::string model, output, emit = "obj";
  bool fast = false;
  int64_t threads = 1;
  std::optional<double> rtol;
  std::vector<std::string> dims, externs;
};

} // namespace

TEST(CommandLine, TakesOptionsInBothForms) {
  Fixture it;
  EXPECT_EQ(it.parse({"--threads", "4", "m.onnx", "--rtol=1e-3", "-o", "x", "--fast", "--emit=asm", "--dim", "a=1",
                      "--dim=b=2"}),
            "");
  EXPECT_EQ(it.model, "m.onnx");
  EXPECT_EQ(it.threads, 4);
  EXPECT_EQ(it.rtol, 1e-3);
  EXPECT_EQ(it.output, "x");
  EXPECT_EQ(it.emit, "asm");
  EXPECT_TRUE(it.fast);
  EXPECT_EQ(it.dims, (std::vector<std::string>{"a=1", "b=2"}));
}

TEST(CommandLine, TakesAValueThatMayBeLeftOutFromItsOwnWordAlone) {
  Fixture it;
  EXPECT_EQ(it.parse({"--extern", "m.onnx", "--extern=a,b"}), "");
  EXPECT_EQ(it.model, "m.onnx");
  EXPECT_EQ(it.externs, (std::vector<std::string>{"", "a,b"}));
  EXPECT_EQ(Fixture().parse({"m", "--extern="}), "--extern: expected a value after '=', LIST");
}

TEST(CommandLine, DashIsAValueAndDoubleDashEndsOptions) {
  Fixture it;
  EXPECT_EQ(it.parse({"-o", "-", "--", "-m.onnx"}), "");
  EXPECT_EQ(it.output, "-");
  EXPECT_EQ(it.model, "-m.onnx");
}

TEST(CommandLine, SuggestsTheNearestOption) {
  EXPECT_EQ(Fixture().parse({"m", "--thread=2"}),
            "unknown option '--thread', did you mean '--threads'?; see 'cameo make --help'");
  EXPECT_EQ(Fixture().parse({"m", "--zzzzzzzz"}), "unknown option '--zzzzzzzz'; see 'cameo make --help'");
}

TEST(CommandLine, RefusesBadValues) {
  EXPECT_EQ(Fixture().parse({"m", "--threads=0"}), "--threads: expected a whole number from 1 to 64, got '0'");
  EXPECT_EQ(Fixture().parse({"m", "--threads"}), "--threads: expected a value, N");
  EXPECT_EQ(Fixture().parse({"m", "-o", ""}), "-o: expected a value, FILE, got ''");
  EXPECT_EQ(Fixture().parse({"m", "-o="}), "-o: expected a value after '=', FILE");
  EXPECT_EQ(Fixture().parse({"m", "--dim", ""}), "--dim: expected a value, NAME=SIZE, got ''");
  EXPECT_EQ(Fixture().parse({"m", "--fast=1"}), "--fast: expected no value, got '1'");
  EXPECT_EQ(Fixture().parse({"m", "--rtol=-1"}), "--rtol: expected a number that is not negative, got '-1'");
  EXPECT_EQ(Fixture().parse({"m", "--emit=ob"}), "--emit: expected one of obj, asm, got 'ob', did you mean 'obj'?");
}

TEST(CommandLine, RefusesMissingAndExtraArguments) {
  EXPECT_EQ(Fixture().parse({}), "expected MODEL; see 'cameo make --help'");
  EXPECT_EQ(Fixture().parse({"a", "b"}), "unexpected argument 'b'; see 'cameo make --help'");
}

TEST(CommandLine, HelpWinsOverWhatIsMissing) {
  Fixture it;
  EXPECT_EQ(it.parse({"--help"}), "");
  EXPECT_TRUE(it.line.isHelpRequested);
}

TEST(CommandLine, WrapsHelp) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printWrapped(os, "one two three\nfour", 2, 10);
  EXPECT_EQ(text, "one two\n  three\n  four\n");
}
