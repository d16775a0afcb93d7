//===- InputFileTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/InputFile.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"

#include "TestFiles.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace onnxfold;

namespace {

class InputFileTest : public FileTest {
protected:
  /// Runs `body` with standard input replaced by `fd`.
  template <typename Body> void withStandardInput(int fd, Body body) {
    int saved = ::dup(STDIN_FILENO);
    ::dup2(fd, STDIN_FILENO);
    ::close(fd);
    body();
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
  }
};

std::string readAll(const InputFile &file) {
  std::string bytes(file.size(), '?');
  cantFail(file.read(0, {bytes.data(), bytes.size()}));
  return bytes;
}

TEST_F(InputFileTest, ReadsAndMapsRanges) {
  std::string bytes(10000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = char(i * 7 + i / 256);
  InputFileRef file = openBytes(bytes);
  EXPECT_EQ(file->size(), bytes.size());
  EXPECT_EQ(readAll(*file), bytes);
  EXPECT_EQ(file->bytesRead(), bytes.size());
}

TEST_F(InputFileTest, RefusesWhatIsNoRegularFile) {
  EXPECT_EQ(errorText(InputFile::open(path("none")), folder),
            "none: cannot be opened: no such file or directory");
  std::filesystem::create_directory(path("sub"));
  EXPECT_EQ(errorText(InputFile::open(path("sub")), folder),
            "sub: is a folder, expected a file");
  ::mkfifo(path("pipe").c_str(), 0600);
  EXPECT_EQ(errorText(InputFile::open(path("pipe")), folder),
            "pipe: is not a regular file");
  EXPECT_EQ(errorText(InputFile::open("/dev/null")),
            "/dev/null: is not a regular file");
  EXPECT_EQ(errorText(InputFile::open(write("f", "x") + "/g"), folder),
            "f/g: cannot be opened: not a directory");
}

TEST_F(InputFileTest, RefusesUnreadableFile) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "root reads every file";
  write("secret", "x");
  ::chmod(path("secret").c_str(), 0);
  EXPECT_EQ(errorText(InputFile::open(path("secret")), folder),
            "secret: cannot be opened: permission denied");
}

TEST_F(InputFileTest, TruncationIsAnErrorAndNoZeros) {
  InputFileRef file = openBytes(std::string(100, 'x'));
  EXPECT_EQ(errorText(file->checkUnchanged()), "");
  std::filesystem::resize_file(path("model.onnx"), 40);
  std::string out(100, '?');
  EXPECT_EQ(errorText(file->read(0, {out.data(), 100}), folder),
            "model.onnx: changed while it was read: has 40 bytes, expected at "
            "least 100");
  EXPECT_EQ(errorText(file->checkUnchanged(), folder),
            "model.onnx: changed while it was read");
}

TEST_F(InputFileTest, SurvivesShortAndInterruptedReads) {
  InputFileRef file = openBytes("abcdefgh");
  ScopedSystemCall shortReads(
      systemCalls().pread, +[](int fd, void *bytes, size_t, off_t at) {
        static int calls = 0;
        if (calls++ % 2 == 0) {
          errno = EINTR;
          return ssize_t(-1);
        }
        return ::pread(fd, bytes, 1, at);
      });
  EXPECT_EQ(readAll(*file), "abcdefgh");
}

TEST_F(InputFileTest, ReportsAFailingRead) {
  InputFileRef file = openBytes("abc");
  ScopedSystemCall failing(
      systemCalls().pread, +[](int, void *, size_t, off_t) {
        errno = EIO;
        return ssize_t(-1);
      });
  char byte;
  EXPECT_EQ(errorText(file->read(0, {&byte, 1}), folder),
            "model.onnx: cannot be read: input/output error");
}

TEST_F(InputFileTest, StandardInputFromAPipeIsSpooled) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::string bytes(300000, 'a'); // more than a pipe holds
  bytes += "end";
  std::thread writer([&] {
    ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size()),
              ssize_t(bytes.size()));
    ::close(ends[1]);
  });
  withStandardInput(ends[0], [&] {
    InputFileRef file = cantFail(InputFile::open("-"));
    EXPECT_EQ(file->name(), "<stdin>");
    EXPECT_EQ(readAll(*file), bytes);
  });
  writer.join();
}

TEST_F(InputFileTest, StandardInputFromAFileKeepsItsIdentity) {
  InputFileRef named = openBytes("bytes");
  withStandardInput(::open(path("model.onnx").c_str(), O_RDONLY), [&] {
    InputFileRef file = cantFail(InputFile::open("-"));
    EXPECT_TRUE(file->identity() == named->identity());
    EXPECT_EQ(readAll(*file), "bytes");
  });
  // Not at its start: the bytes before are not part of the input.
  int fd = ::open(path("model.onnx").c_str(), O_RDONLY);
  ::lseek(fd, 2, SEEK_SET);
  withStandardInput(fd, [&] {
    InputFileRef file = cantFail(InputFile::open("-"));
    EXPECT_EQ(readAll(*file), "tes");
  });
}

} // namespace
