//===- OutputFileTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/OutputFile.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"

#include "TestFiles.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace onnxfold;

namespace {

/// Every test runs with unnamed files and with temporary names.
class OutputFileTest : public FileTest,
                       public ::testing::WithParamInterface<bool> {
protected:
  OutputFileTest()
      : call(systemCalls().openUnnamed,
             GetParam() ? systemCalls().openUnnamed : noUnnamedFiles) {}

  std::unique_ptr<OutputFile> create(const std::string &name,
                                     llvm::ArrayRef<FileIdentity> inputs = {}) {
    return cantFail(OutputFile::create(path(name), inputs));
  }
  std::string createError(const std::string &name,
                          llvm::ArrayRef<FileIdentity> inputs = {}) {
    return errorText(OutputFile::create(path(name), inputs), folder);
  }
  void writeAndCommit(OutputFile &output, const std::string &bytes) {
    cantFail(output.write(0, bytes));
    cantFail(output.commit());
  }

  ScopedSystemCall<int (*)(const char *, mode_t)> call;
};
INSTANTIATE_TEST_SUITE_P(Unnamed, OutputFileTest, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Named, OutputFileTest, ::testing::Values(false));

unsigned modeOf(const std::string &path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST_P(OutputFileTest, AppearsOnlyWhenCommitted) {
  auto output = create("out");
  cantFail(output->resize(8));
  cantFail(output->write(5, "cde"));
  cantFail(output->write(0, "ab"));
  EXPECT_FALSE(std::filesystem::exists(path("out")));
  cantFail(output->commit());
  EXPECT_EQ(read("out"), std::string("ab\0\0\0cde", 8));
  output.reset();
  EXPECT_EQ(fileCount(), 1u);
}

TEST_P(OutputFileTest, NothingRemainsWithoutCommit) {
  write("out", "old");
  {
    auto output = create("out");
    cantFail(output->write(0, "new"));
  }
  EXPECT_EQ(read("out"), "old");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_P(OutputFileTest, ReplacesAndKeepsPermissions) {
  write("out", "old and longer");
  ::chmod(path("out").c_str(), 0640);
  writeAndCommit(*create("out"), "new");
  EXPECT_EQ(read("out"), "new");
  EXPECT_EQ(modeOf(path("out")), 0640u);
  EXPECT_EQ(fileCount(), 1u);
}

TEST_P(OutputFileTest, ReplacesAndKeepsOwnerAndGroup) {
  // Of a model that a group shares, the others could not read the new one.
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root may give files away";
  write("out", "old");
  ASSERT_EQ(::chown(path("out").c_str(), 1234, 5678), 0);
  ASSERT_EQ(::chmod(path("out").c_str(), 0660), 0);
  writeAndCommit(*create("out"), "new");
  struct stat status;
  ASSERT_EQ(::stat(path("out").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 1234u);
  EXPECT_EQ(status.st_gid, 5678u);
  EXPECT_EQ(status.st_mode & 07777, 0660u);
}

TEST_P(OutputFileTest, NewFilesAreSyncedIfAskedFor) {
  static int syncs = 0;
  ScopedSystemCall counting(
      systemCalls().fsync, +[](int fd) {
        ++syncs;
        return ::fsync(fd);
      });
  for (bool sync : {false, true}) {
    syncs = 0;
    auto file = cantFail(
        OutputFile::create(path("out" + std::to_string(sync)), {}, sync));
    writeAndCommit(*file, "new");
    EXPECT_EQ(syncs, sync ? 2 : 0) << "of the file and of its folder";
  }
}

TEST_P(OutputFileTest, NewFileHasPermissionsOfTheUmask) {
  mode_t old = ::umask(027);
  writeAndCommit(*create("out"), "new");
  ::umask(old);
  EXPECT_EQ(modeOf(path("out")), 0640u);
}

TEST_P(OutputFileTest, RefusesInputsUnderAnyName) {
  FileIdentity input = openBytes("bytes")->identity();
  std::filesystem::create_symlink("model.onnx", path("link"));
  std::filesystem::create_hard_link(path("model.onnx"), path("hard"));
  for (const char *name : {"model.onnx", "link", "hard", "./link"})
    EXPECT_EQ(createError(name, input),
              std::string(name) +
                  ": is one of the input files, which are never written, "
                  "expected another output");
  EXPECT_EQ(read("model.onnx"), "bytes");
  EXPECT_EQ(createError("other", input), "");
}

TEST_P(OutputFileTest, WritesThroughASymbolicLink) {
  std::filesystem::create_directory(path("sub"));
  write("sub/real", "old");
  std::filesystem::create_symlink("sub/real", path("link"));
  writeAndCommit(*create("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(read("sub/real"), "new");
}

TEST_P(OutputFileTest, RefusesImpossibleTargets) {
  std::filesystem::create_directory(path("sub"));
  EXPECT_EQ(createError("sub"), "sub: is a folder, expected a file");
  EXPECT_EQ(createError("none/out"),
            "none/out: cannot be created: there is no folder 'none'");
}

TEST_P(OutputFileTest, TargetThatAppearsMeanwhileIsReplaced) {
  auto output = create("out");
  write("out", "from somebody else");
  writeAndCommit(*output, "new");
  EXPECT_EQ(read("out"), "new");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_P(OutputFileTest, RemovesWhatAKilledRunLeft) {
  write(".out.onnxfold-1-0.tmp", "half");
  write(".other.onnxfold-1-0.tmp", "of another target");
  // In use by a run that lives: locked.
  int fd = ::open(write(".out.onnxfold-1-1.tmp", "alive").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  writeAndCommit(*create("out"), "new");
  ::close(fd);
  EXPECT_FALSE(std::filesystem::exists(path(".out.onnxfold-1-0.tmp")));
  EXPECT_TRUE(std::filesystem::exists(path(".out.onnxfold-1-1.tmp")));
  EXPECT_TRUE(std::filesystem::exists(path(".other.onnxfold-1-0.tmp")));
}

TEST_P(OutputFileTest, FullDiskIsAnError) {
  write("out", "old");
  auto output = create("out");
  // A limit on file sizes stands for the disk's size: EFBIG for ENOSPC.
  rlimit saved, small;
  ::getrlimit(RLIMIT_FSIZE, &saved);
  small = saved;
  small.rlim_cur = 100000;
  auto oldHandler = ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string written = errorText(output->write(0, std::string(200000, 'x')));
  std::string beyond = errorText(output->resize(200000));
  ::setrlimit(RLIMIT_FSIZE, &saved);
  ::signal(SIGXFSZ, oldHandler);
  EXPECT_NE(written.find("out: cannot be written: file too large"),
            std::string::npos)
      << written;
  EXPECT_NE(beyond.find("out: cannot be written: file too large"),
            std::string::npos)
      << beyond;
  output.reset();
  EXPECT_EQ(read("out"), "old");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_P(OutputFileTest, DeferredErrorsAreReported) {
  auto output = create("out");
  cantFail(output->write(0, "new"));
  ScopedSystemCall failing(
      systemCalls().fsync, +[](int) {
        errno = ENOSPC;
        return -1;
      });
  write("old", "old");
  auto replacing = create("old");
  cantFail(replacing->write(0, "new"));
  EXPECT_EQ(errorText(replacing->commit(), folder),
            "old: cannot be written: no space left on device");
  replacing.reset();
  EXPECT_EQ(read("old"), "old");
  // A new file is not synced unless asked for.
  EXPECT_EQ(errorText(output->commit()), "");
}

TEST_P(OutputFileTest, MoreFilesThanTheSoftLimit) {
  // A model with one data file per tensor, copied to another folder.
  rlimit saved, few;
  ::getrlimit(RLIMIT_NOFILE, &saved);
  few = saved;
  few.rlim_cur = 40;
  ::setrlimit(RLIMIT_NOFILE, &few);
  std::vector<std::unique_ptr<OutputFile>> files;
  for (int i = 0; i < 60; ++i)
    files.push_back(create("out" + std::to_string(i)));
  for (std::unique_ptr<OutputFile> &file : files)
    writeAndCommit(*file, "new");
  ::setrlimit(RLIMIT_NOFILE, &saved);
  EXPECT_EQ(fileCount(), 60u);
}

TEST_P(OutputFileTest, ShortWritesAreContinued) {
  auto output = create("out");
  ScopedSystemCall shortWrites(
      systemCalls().pwrite, +[](int fd, const void *bytes, size_t, off_t at) {
        static int calls = 0;
        if (calls++ % 2 == 0) {
          errno = EINTR;
          return ssize_t(-1);
        }
        return ::pwrite(fd, bytes, 1, at);
      });
  writeAndCommit(*output, "abcdef");
  EXPECT_EQ(read("out"), "abcdef");
}

TEST_P(OutputFileTest, SignalLeavesNothing) {
  for (int number : {SIGINT, SIGTERM}) {
    pid_t child = ::fork();
    if (child == 0) {
      auto output = create("out");
      cantFail(output->write(0, "half"));
      ::raise(number);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
    EXPECT_EQ(fileCount(), 0u);
  }
}

TEST_P(OutputFileTest, FullDeviceAsStream) {
  auto output = cantFail(OutputFile::create("/dev/full", {}));
  EXPECT_TRUE(output->isStream());
  EXPECT_EQ(errorText(output->write(0, "x")),
            "/dev/full: cannot be written: no space left on device");
  output = cantFail(OutputFile::create("/dev/null", {}));
  cantFail(output->resize(100));
  cantFail(output->write(0, "x"));
  cantFail(output->copy(*openBytes("bytes"), {1, 3}, 1));
  cantFail(output->commit());
}

TEST_P(OutputFileTest, StandardOutputOntoTheInputIsRefused) {
  InputFileRef input = openBytes("bytes");
  int fd = ::open(path("model.onnx").c_str(), O_WRONLY | O_APPEND);
  std::fflush(stdout);
  int saved = ::dup(STDOUT_FILENO);
  ::dup2(fd, STDOUT_FILENO);
  ::close(fd);
  std::string text = errorText(OutputFile::create("-", input->identity()));
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  EXPECT_EQ(text, "<stdout>: is one of the input files, which are never "
                  "written, expected another output");
}

} // namespace
