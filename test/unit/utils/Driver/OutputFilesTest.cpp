#include "utils/Driver/Link/OutputFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

#include <gtest/gtest.h>

using namespace cameo;

namespace {

class OutputFilesTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("cameo-output", folder)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }
  std::string at(const char *name) { return std::string(folder) + "/" + name; }
  std::string contentOf(const std::string &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "<none>";
  }
  size_t fileCount() {
    std::error_code error;
    size_t count = 0;
    for (llvm::sys::fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
      ++count;
    return count;
  }
  llvm::SmallString<128> folder;
};

} // namespace

TEST_F(OutputFilesTest, AppearTogetherAtCommit) {
  OutputFiles files;
  llvm::Expected<llvm::raw_pwrite_stream *> a = files.open(at("a")), b = files.open(at("b"));
  ASSERT_TRUE(a && b);
  **a << "first";
  **b << "second";
  EXPECT_EQ(contentOf(at("a")), "<none>");
  ASSERT_FALSE(files.commit());
  EXPECT_EQ(contentOf(at("a")), "first");
  EXPECT_EQ(contentOf(at("b")), "second");
  EXPECT_EQ(fileCount(), 2u);
}

TEST_F(OutputFilesTest, NothingIsLeftWithoutCommit) {
  {
    OutputFiles files;
    ASSERT_TRUE(bool(files.open(at("a"))));
    ASSERT_TRUE(bool(files.reserve(at("b"))));
  }
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(OutputFilesTest, AnOldFileSurvivesAFailure) {
  {
    OutputFiles files;
    **files.open(at("a")) << "old";
    ASSERT_FALSE(files.commit());
  }
  {
    OutputFiles files;
    **files.open(at("a")) << "new";
  }
  EXPECT_EQ(contentOf(at("a")), "old");
}

TEST_F(OutputFilesTest, UnwritablePlacesAreNamed) {
  OutputFiles files;
  llvm::Expected<llvm::raw_pwrite_stream *> missing = files.open(at("no/such/folder")), isFolder = files.open(folder);
  EXPECT_EQ(llvm::toString(missing.takeError()), at("no/such/folder") + ": No such file or directory");
  EXPECT_EQ(llvm::toString(isFolder.takeError()), std::string(folder) + ": Is a directory");
}

TEST_F(OutputFilesTest, ExecutablesMayBeExecuted) {
  OutputFiles files;
  ASSERT_TRUE(bool(files.reserve(at("program"), /*executable=*/true)));
  ASSERT_FALSE(files.commit());
  EXPECT_TRUE(llvm::sys::fs::can_execute(at("program")));
}

TEST_F(OutputFilesTest, WhatIsReservedForADeviceIsCopiedThere) {
  OutputFiles files;
  llvm::Expected<std::string> reserved = files.reserve("/dev/full");
  ASSERT_TRUE(bool(reserved));
  EXPECT_NE(*reserved, "/dev/full");
  std::error_code error;
  llvm::raw_fd_ostream(*reserved, error) << "library";
  ASSERT_FALSE(error);
  EXPECT_EQ(llvm::toString(files.commit()), "/dev/full: No space left on device");
}

TEST_F(OutputFilesTest, AnyNameMayBeWritten) {
  std::string folder = at("100%%_%d");
  ASSERT_FALSE(llvm::sys::fs::create_directory(folder));
  for (const std::string &name : {folder + "/%%%%%%", folder + "/" + std::string(255, 'n'), at("XXXXXX")}) {
    OutputFiles files;
    llvm::Expected<llvm::raw_pwrite_stream *> os = files.open(name);
    ASSERT_TRUE(bool(os)) << llvm::toString(os.takeError());
    **os << "text";
    EXPECT_EQ(llvm::toString(files.commit()), "");
    EXPECT_EQ(contentOf(name), "text");
  }
}

TEST_F(OutputFilesTest, AnOpenFileIsWrittenAndStaysALink) {
  int descriptor = -1;
  ASSERT_FALSE(llvm::sys::fs::openFileForReadWrite(at("open"), descriptor, llvm::sys::fs::CD_CreateAlways,
                                                   llvm::sys::fs::OF_None));
  std::string link = at("link");
  ASSERT_FALSE(llvm::sys::fs::create_link("/proc/self/fd/" + std::to_string(descriptor), link));
  OutputFiles files;
  **files.open(link) << "text";
  EXPECT_EQ(llvm::toString(files.commit()), "");
  EXPECT_EQ(contentOf(at("open")), "text");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(link));
  EXPECT_EQ(fileCount(), 2u);
  llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
}

TEST_F(OutputFilesTest, TwoThatDoNotFitAreOneError) {
  OutputFiles files;
  llvm::Expected<llvm::raw_pwrite_stream *> a = files.open("/dev/full"), b = files.open("/dev/full"),
                                            c = files.open(at("c"));
  ASSERT_TRUE(a && b && c);
  **a << "first";
  **b << "second";
  **c << "third";
  EXPECT_EQ(llvm::toString(files.commit()), "/dev/full: No space left on device");
}
