// Links the object of TwiceModel.c with the built-in linker, opens it and runs it.
#include "utils/Driver/Link/LinkModel.h"
#include "utils/Driver/Run/ModelRunner.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <gtest/gtest.h>

using namespace cameo;

namespace {

class ModelLibraryTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("twice", "so", path)); }
  void TearDown() override { llvm::sys::fs::remove(path); }
  std::unique_ptr<ModelLibrary> openTwice() {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    EXPECT_FALSE(error);
    EXPECT_EQ(llvm::toString(linkSharedLibrary({TWICE_OBJECT, {}, /*forHost=*/true, {}}, os)), "");
    os.close();
    return llvm::cantFail(ModelLibrary::open(path));
  }
  llvm::SmallString<128> path;
};

} // namespace

TEST_F(ModelLibraryTest, LinksOpensAndRuns) {
  std::unique_ptr<ModelLibrary> library = openTwice();
  EXPECT_TRUE(isElfFile(path));
  EXPECT_EQ(shapeText(library->description(), library->inputs()[0]), "4");
  for (int threads : {1, 2}) {
    RunOptions options;
    options.threads = threads;
    auto runner = llvm::cantFail(ModelRunner::create(*library, options));
    auto inputs = llvm::cantFail(makeInputs(*library, {}, {}));
    llvm::cantFail(runner->bindInputs(inputs));
    llvm::ArrayRef<cameo_task_profile> profile = runner->startProfile();
    llvm::cantFail(runner->run());
    EXPECT_EQ(profile[0].count, 1u);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(runner->outputs()[0].valueAt(i), 2 * inputs[0].valueAt(i));
  }
}

TEST_F(ModelLibraryTest, RefusesAWrongShape) {
  std::unique_ptr<ModelLibrary> library = openTwice();
  auto runner = llvm::cantFail(ModelRunner::create(*library, {}));
  std::vector<Tensor> inputs;
  inputs.emplace_back("x", CAMEO_FLOAT32, llvm::ArrayRef<int64_t>{2, 2});
  EXPECT_EQ(llvm::toString(runner->bindInputs(inputs)), "input 'x': expected shape 4, got 2x2");
}

TEST_F(ModelLibraryTest, NamesTheMissingInputFile) {
  std::unique_ptr<ModelLibrary> library = openTwice();
  InputSource source;
  source.folder = "/";
  EXPECT_EQ(llvm::toString(makeInputs(*library, source, {}).takeError()),
            "/: no file for input 'x', expected x.npy or .pb");
}

TEST_F(ModelLibraryTest, RefusesOtherLibrariesAndFiles) {
  auto notElf = ModelLibrary::open(__FILE__);
  EXPECT_FALSE(bool(notElf));
  llvm::consumeError(notElf.takeError());
  auto notModel = ModelLibrary::open("/proc/self/exe");
  EXPECT_NE(llvm::toString(notModel.takeError()).find("expected a shared library with one compiled model, found 0"),
            std::string::npos);
  EXPECT_FALSE(isElfFile("/nonexistent"));
}

TEST_F(ModelLibraryTest, LinkerErrorsComeBack) {
  llvm::Error error = linkSharedLibrary({"/nonexistent.o", {}, /*forHost=*/true, {}}, llvm::nulls());
  EXPECT_NE(llvm::toString(std::move(error)).find("/nonexistent.o"), std::string::npos);
}

TEST_F(ModelLibraryTest, LateContentsStandAtTheirSymbol) {
  std::string linked, filled;
  llvm::raw_string_ostream os(linked), filledOs(filled);
  ASSERT_EQ(llvm::toString(linkSharedLibrary({TWICE_OBJECT, {}, /*forHost=*/true, {}}, os)), "");
  // The written bytes replace the first bytes of the description.
  auto write = [](llvm::raw_ostream &to) { to << "late"; };
  ASSERT_EQ(llvm::toString(
                linkSharedLibrary({TWICE_OBJECT, {}, /*forHost=*/true, {"twice_description", 4, write}}, filledOs)),
            "");
  ASSERT_EQ(filled.size(), linked.size());
  size_t at = filled.find("late");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(filled.substr(0, at), linked.substr(0, at));
  EXPECT_EQ(filled.substr(at + 4), linked.substr(at + 4));
  llvm::Error error = linkSharedLibrary({TWICE_OBJECT, {}, /*forHost=*/true, {"absent", 4, write}}, filledOs);
  EXPECT_EQ(llvm::toString(std::move(error)), "expected a symbol absent in the library");
}

TEST_F(ModelLibraryTest, LinksAProgram) {
  if (!llvm::sys::findProgramByName("cc"))
    GTEST_SKIP() << "no cc";
  UnnamedFile object = llvm::cantFail(UnnamedFile::copy(TWICE_OBJECT));
  ProgramParts parts{object, path, "twice", "cc"};
  ASSERT_EQ(llvm::toString(linkProgram(parts, path)), "");
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(""), std::nullopt};
  EXPECT_EQ(llvm::sys::ExecuteAndWait(path, {path}, std::nullopt, redirects), 0);
}
