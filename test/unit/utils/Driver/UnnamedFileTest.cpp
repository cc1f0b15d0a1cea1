#include "utils/Driver/Run/UnnamedFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace cameo;
using llvm::StringRef;

static std::string contentOf(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "<none>";
}

static llvm::Error write(StringRef path, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << text;
  return llvm::errorCodeToError(error);
}

/// Creates a file with these bytes; sets `name` to its former path.
static llvm::Expected<UnnamedFile> make(StringRef text, std::string &name) {
  return UnnamedFile::create([&](StringRef path) {
    name = path.str();
    return write(path, text);
  });
}

TEST(UnnamedFile, KeepsItsBytes) {
  std::string name;
  llvm::Expected<UnnamedFile> file = make("some bytes", name);
  ASSERT_TRUE(bool(file));
  EXPECT_EQ(file->path(), name);
  EXPECT_EQ(contentOf(name), "some bytes");
}

TEST(UnnamedFile, NeverHasAName) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("cameo%d", folder));
  ASSERT_EQ(setenv("TMPDIR", folder.c_str(), 1), 0);
  llvm::Expected<UnnamedFile> file = UnnamedFile::create([&](StringRef path) {
    std::error_code error;
    EXPECT_EQ(llvm::sys::fs::directory_iterator(folder, error), llvm::sys::fs::directory_iterator());
    return write(path, "some bytes");
  });
  unsetenv("TMPDIR");
  ASSERT_TRUE(bool(file));
  EXPECT_EQ(contentOf(file->pathForOthers()), "some bytes");
  EXPECT_FALSE(llvm::sys::fs::remove(folder));
}

TEST(UnnamedFile, LiesInAnyFolder) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("cameo", folder));
  std::string odd = (folder + "/%%s%").str();
  ASSERT_FALSE(llvm::sys::fs::create_directory(odd));
  ASSERT_EQ(setenv("TMPDIR", odd.c_str(), 1), 0);
  llvm::Expected<UnnamedFile> file = UnnamedFile::hold("some bytes");
  ASSERT_EQ(setenv("TMPDIR", "/no/such/folder", 1), 0);
  llvm::Expected<UnnamedFile> none = UnnamedFile::hold("some bytes");
  unsetenv("TMPDIR");
  ASSERT_TRUE(bool(file));
  EXPECT_EQ(contentOf(file->path()), "some bytes");
  EXPECT_EQ(llvm::toString(none.takeError()),
            "cannot make a temporary file in /no/such/folder: No such file or directory");
  EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
}

TEST(UnnamedFile, IsGoneAfterAnError) {
  std::string name;
  llvm::Expected<UnnamedFile> file = UnnamedFile::create([&](StringRef path) {
    name = path.str();
    return llvm::createStringError("no");
  });
  ASSERT_FALSE(bool(file));
  EXPECT_EQ(llvm::toString(file.takeError()), "no");
  EXPECT_FALSE(llvm::sys::fs::exists(name));
}

TEST(UnnamedFile, ACopyIsAnotherFile) {
  std::string name;
  llvm::Expected<UnnamedFile> file = make(StringRef("\0\n bytes", 8), name);
  ASSERT_TRUE(bool(file));
  llvm::Expected<UnnamedFile> copy = UnnamedFile::copy(file->path());
  ASSERT_TRUE(bool(copy));
  EXPECT_EQ(contentOf(copy->path()), contentOf(file->path()));
  llvm::sys::fs::UniqueID first, second;
  ASSERT_FALSE(llvm::sys::fs::getUniqueID(file->path(), first));
  ASSERT_FALSE(llvm::sys::fs::getUniqueID(copy->path(), second));
  EXPECT_FALSE(first == second);
}

TEST(UnnamedFile, MovesWithItsBytes) {
  std::string name;
  llvm::Expected<UnnamedFile> file = make("some bytes", name);
  ASSERT_TRUE(bool(file));
  UnnamedFile other;
  other = std::move(*file);
  EXPECT_EQ(contentOf(other.path()), "some bytes");
}

TEST(UnnamedFile, OfNoFileIsAnError) {
  llvm::Expected<UnnamedFile> copy = UnnamedFile::copy("/no/such/file");
  ASSERT_FALSE(bool(copy));
  EXPECT_EQ(llvm::toString(copy.takeError()), "/no/such/file: No such file or directory");
}
