//===- DataFileTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/write/DataFile.h"
#include "onnxfold/onnx/io/files/OutputFile.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"

#include "TestFiles.h"

#include "llvm/Support/ThreadPool.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace onnxfold;

namespace {

class DataFileTest : public FileTest {
protected:
  std::string written(const DataFile &data) {
    auto output = cantFail(OutputFile::create(path("out"), {}));
    cantFail(data.write(*output, nullptr));
    cantFail(output->commit());
    return read("out");
  }
};

TEST_F(DataFileTest, AlignsAndLeavesHoles) {
  DataFile data("out");
  EXPECT_TRUE(data.empty());
  EXPECT_EQ(data.add(Content::literal("first")), 0u);
  EXPECT_EQ(data.add(Content::literal("second")), 65536u);
  Payload payload;
  payload.size = 3;
  std::string bytes = "abc";
  payload.write = [bytes](PayloadSink &sink) { return sink.write(0, bytes); };
  EXPECT_EQ(data.add(Content::payload(std::move(payload))), 131072u);
  EXPECT_EQ(data.size(), 131075u);
  EXPECT_EQ(written(data), "first" + std::string(65531, '\0') + "second" +
                               std::string(65530, '\0') + "abc");
  struct stat status;
  ASSERT_EQ(::stat(path("out").c_str(), &status), 0);
  EXPECT_LT(status.st_blocks * 512, 65536);
}

TEST_F(DataFileTest, EqualBytesOfSeveralFilesAreStoredOnce) {
  std::string bytes(700'000, 'x'), other = bytes;
  other[123'456] = 'y'; // where no sample is taken
  InputFileRef a = openBytes(bytes, "a"), b = openBytes("." + bytes, "b"),
               c = openBytes(other, "c");
  DataFile data("out");
  uint64_t size = bytes.size();
  EXPECT_EQ(data.add(Content::copy(a, {0, size})), 0u);
  EXPECT_EQ(data.add(Content::copy(b, {1, size + 1})), 0u);
  EXPECT_EQ(data.add(Content::copy(a, {0, 40'000})), 720'896u);
  EXPECT_EQ(data.add(Content::copy(b, {1, 40'001})), 720'896u);
  EXPECT_EQ(data.add(Content::copy(c, {0, size})), 786'432u);
  EXPECT_EQ(data.add(Content::copy(b, {0, size})), 1'507'328u);
  EXPECT_EQ(written(data).substr(786'432, size), other);
}

TEST_F(DataFileTest, EqualRangesAreStoredOnce) {
  InputFileRef a = openBytes("0123456789", "a"),
               b = openBytes("0129456789", "b");
  DataFile data("out");
  EXPECT_EQ(data.add(Content::copy(a, {2, 5})), 0u);
  EXPECT_EQ(data.add(Content::copy(a, {2, 6})), 65536u);
  EXPECT_EQ(data.add(Content::copy(b, {2, 5})), 131072u);
  EXPECT_EQ(data.add(Content::copy(a, {2, 5})), 0u);
  // Another descriptor of the same file.
  EXPECT_EQ(
      data.add(Content::copy(cantFail(InputFile::open(path("a"))), {2, 6})),
      65536u);
  EXPECT_EQ(written(data).substr(65536, 4), "2345");
}

TEST_F(DataFileTest, HolesOfTheInputStayHoles) {
  write("sparse", "head");
  ASSERT_EQ(::truncate(path("sparse").c_str(), 64 << 20), 0);
  DataFile data("out");
  data.add(Content::literal("x"));
  data.add(
      Content::copy(cantFail(InputFile::open(path("sparse"))), {0, 64 << 20}));
  EXPECT_EQ(written(data).size(), 65536u + (64 << 20));
  struct stat status;
  ASSERT_EQ(::stat(path("out").c_str(), &status), 0);
  EXPECT_LT(status.st_blocks * 512, 1 << 20);
}

/// A file system that gives space when it is asked for, and one of another kind.
template <long kind> int fileSystem(int, struct statfs *status) {
  *status = {};
  status->f_type = kind;
  return 0;
}

/// What was asked for, of a disk that has none.
std::vector<std::pair<off_t, off_t>> &requests() {
  static std::vector<std::pair<off_t, off_t>> list;
  return list;
}
int recordRequest(int, int, off_t offset, off_t size) {
  requests().push_back({offset, size});
  errno = ENOSPC;
  return -1;
}

TEST_F(DataFileTest, SpaceIsReservedForAllButHoles) {
  ScopedSystemCall recording(systemCalls().allocate, recordRequest);
  constexpr int64_t mega = 1 << 20, most = 64 * mega;
  write("sparse", "head");
  ASSERT_EQ(::truncate(path("sparse").c_str(), most), 0);
  InputFileRef sparse = cantFail(InputFile::open(path("sparse")));
  for (bool isExt4 : {true, false}) {
    ScopedSystemCall kind(systemCalls().fstatfs,
                          isExt4 ? fileSystem<EXT4_SUPER_MAGIC>
                                 : fileSystem<TMPFS_MAGIC>);
    requests().clear();
    DataFile data("out");
    data.add(Content::literal("x")); // a gap follows
    data.add(Content::literal(std::string(mega, 'a')));
    data.add(Content::literal(std::string(2 * mega, 'b')));
    data.add(Content::copy(sparse, {0, uint64_t(most)}));
    data.add(Content::literal(std::string(mega, 'c')));
    std::string bytes = written(data);
    EXPECT_EQ(bytes.size(), 65536u + 4 * mega + most);
    EXPECT_EQ(bytes.back(), 'c') << "it is written all the same";
    using Requests = std::vector<std::pair<off_t, off_t>>;
    Requests all = {{65536, 3 * mega}, {65536 + 3 * mega + most, mega}};
    EXPECT_EQ(requests(), isExt4 ? all : Requests());
  }
}

TEST_F(DataFileTest, GapsAreZerosOnAStream) {
  DataFile data("out");
  data.add(Content::literal("a"));
  data.add(Content::literal("b"));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::string name = "/proc/self/fd/" + std::to_string(ends[1]);
  auto output = cantFail(OutputFile::create(name, {}));
  ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  cantFail(data.write(*output, nullptr));
  output.reset();
  ::close(ends[1]);
  std::string all;
  char buffer[4096];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof(buffer))) > 0;)
    all.append(buffer, n);
  ::close(ends[0]);
  EXPECT_EQ(all, "a" + std::string(65535, '\0') + "b");
}

} // namespace
