//===- NewFoldersTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/internal/NewFolders.h"
#include "onnxfold/onnx/io/files/OutputFile.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"

#include "TestFiles.h"

#include <csignal>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace onnxfold;

namespace {

class NewFoldersTest : public FileTest {
protected:
  bool exists(const std::string &name) {
    return std::filesystem::exists(path(name));
  }
  std::string real(const std::string &name) {
    return std::filesystem::canonical(path(name)).string();
  }
  /// Runs it in a child that then gets the signal; the child's status.
  template <typename Function> int signalled(int number, Function run) {
    pid_t child = ::fork();
    if (child == 0) {
      run();
      ::raise(number);
      ::_exit(0);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
  }
};

int noUnnamedFiles(const char *, mode_t) {
  errno = EOPNOTSUPP;
  return -1;
}

TEST_F(NewFoldersTest, GoAgainUnlessKept) {
  std::filesystem::create_directory(path("old"));
  {
    NewFolders folders;
    cantFail(folders.make(path("old/a/b/c")));
    cantFail(folders.make(path("old/a/d")));
    EXPECT_TRUE(exists("old/a/b/c") && exists("old/a/d"));
  }
  EXPECT_TRUE(exists("old"));
  EXPECT_FALSE(exists("old/a"));
  {
    NewFolders folders;
    cantFail(folders.make(path("old/a/b")));
    folders.keep();
  }
  EXPECT_TRUE(exists("old/a/b"));
}

/// Without it a crash could take a folder along whose files were synced.
TEST_F(NewFoldersTest, ParentsOfAllAreSynced) {
  static std::set<std::string> synced;
  synced.clear();
  ScopedSystemCall noting(
      systemCalls().fsync, +[](int fd) {
        synced.insert(std::filesystem::read_symlink("/proc/self/fd/" +
                                                    std::to_string(fd)));
        return ::fsync(fd);
      });
  std::filesystem::create_directory(path("old"));
  NewFolders folders;
  cantFail(folders.make(path("old/a/b")));
  cantFail(folders.make(path("old/a/c")));
  EXPECT_TRUE(synced.empty());
  cantFail(folders.sync());
  EXPECT_EQ(synced, (std::set<std::string>{real("old"), real("old/a")}));
}

TEST_F(NewFoldersTest, AFolderThatCannotBeSynced) {
  static int failure;
  ScopedSystemCall failing(
      systemCalls().fsync, +[](int) {
        errno = failure;
        return -1;
      });
  NewFolders folders;
  cantFail(folders.make(path("a")));
  failure = EIO;
  EXPECT_NE(llvm::toString(folders.sync()).find("cannot be synced"),
            std::string::npos);
  failure = EINVAL; // of a file system that knows no such thing
  EXPECT_EQ(llvm::toString(folders.sync()), "");
}

TEST_F(NewFoldersTest, WhatSomebodyPutThereStays) {
  {
    NewFolders folders;
    cantFail(folders.make(path("a/b")));
    write("a/file", "of somebody else");
  }
  EXPECT_EQ(read("a/file"), "of somebody else");
  EXPECT_FALSE(exists("a/b"));
}

TEST_F(NewFoldersTest, NamesTheFolderThatCannotBeMade) {
  write("file", "");
  NewFolders folders;
  EXPECT_EQ(errorText(folders.make(path("file/a/b")), folder),
            "file/a: cannot be made: not a directory");
}

// A run that was stopped while it wrote a data file into a new folder left the
// folder: LLVM's handlers remove files alone.
TEST_F(NewFoldersTest, SignalsRemoveThem) {
  for (bool named : {false, true})
    for (int number : {SIGINT, SIGTERM, SIGHUP}) {
      int status = signalled(number, [&] {
        ScopedSystemCall call(systemCalls().openUnnamed,
                              named ? noUnnamedFiles
                                    : systemCalls().openUnnamed);
        NewFolders folders;
        cantFail(folders.make(path("a/b")));
        auto file = cantFail(OutputFile::create(path("a/b/c.bin"), {}));
        cantFail(file->write(0, "half"));
        ::raise(number);
      });
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
      EXPECT_EQ(fileCount(), 0u) << "signal " << number;
    }
}

TEST_F(NewFoldersTest, SignalsLeaveWhatIsKept) {
  signalled(SIGTERM, [&] {
    NewFolders kept, dropped;
    cantFail(kept.make(path("kept")));
    cantFail(dropped.make(path("kept/dropped")));
    kept.keep();
    ::raise(SIGTERM);
  });
  EXPECT_TRUE(exists("kept"));
  EXPECT_FALSE(exists("kept/dropped"));
}

TEST_F(NewFoldersTest, IgnoredSignalsAreStillIgnored) {
  // In a process of its own: handlers are installed once.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto run = [&] {
    ::signal(SIGHUP, SIG_IGN); // as nohup does
    ScopedSystemCall call(systemCalls().openUnnamed, noUnnamedFiles);
    NewFolders folders;
    cantFail(folders.make(path("a")));
    auto file = cantFail(OutputFile::create(path("a/b.bin"), {}));
    ::raise(SIGHUP);
    cantFail(file->commit());
    bool isThere = exists("a/b.bin");
    std::filesystem::remove_all(folder);
    ::_exit(isThere ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(NewFoldersTest, MoreThanASignalCanRemove) {
  NewFolders folders;
  std::string name = folder;
  for (int i = 0; i < 100; ++i)
    cantFail(folders.make(name += "/a"));
  EXPECT_TRUE(std::filesystem::exists(name));
}

} // namespace
