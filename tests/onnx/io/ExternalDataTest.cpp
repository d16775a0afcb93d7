//===- ExternalDataTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/ExternalData.h"

#include "TestFiles.h"

#include <sys/resource.h>
#include <sys/stat.h>

using namespace onnxfold;

namespace {

class ExternalDataTest : public FileTest {
protected:
  ExternalDataTest() {
    std::filesystem::create_directories(path("models/sub"));
    std::filesystem::create_directory(path("elsewhere"));
    write("models/w.bin", "0123456789");
    write("models/sub/v.bin", "abc");
    write("secret", "do not read");
    write("elsewhere/blob", "blob of a store");
  }
  /// Resolves on a fresh resolver: the bytes, or the error.
  std::string resolve(const std::string &location, uint64_t offset = 0,
                      uint64_t size = 3,
                      llvm::ArrayRef<std::string> roots = {}) {
    ExternalData external(path("models"), roots);
    ExternalReference reference;
    reference.location = location;
    reference.offset = offset;
    auto found = external.resolve(reference, size, "m.onnx: initializer 'w'");
    if (!found) {
      std::string text = errorText(found.takeError(), folder);
      const std::string start = "m.onnx: initializer 'w': ";
      EXPECT_EQ(text.rfind(start, 0), 0u) << text;
      return text.substr(std::min(start.size(), text.size()));
    }
    std::string bytes(found->range.size(), '?');
    cantFail(
        found->file->read(found->range.begin, {bytes.data(), bytes.size()}));
    return bytes;
  }
};

TEST_F(ExternalDataTest, FindsFilesBelowTheModel) {
  EXPECT_EQ(resolve("w.bin"), "012");
  EXPECT_EQ(resolve("w.bin", 7), "789");
  EXPECT_EQ(resolve("w.bin", 10, 0), "");
  EXPECT_EQ(resolve("sub/v.bin"), "abc");
  EXPECT_EQ(resolve("./sub//v.bin"), "abc");
  EXPECT_EQ(resolve("sub/../w.bin"), "012");
}

/// A secret that somebody linked into the folder (the ONNX library refuses such
/// files too); below a root that the user names, links are how caches work.
TEST_F(ExternalDataTest, RefusesHardLinks) {
  std::filesystem::create_hard_link(path("secret"), path("models/hard.bin"));
  EXPECT_EQ(resolve("hard.bin"),
            "external file 'hard.bin' has 2 hard links, so it may belong to "
            "another folder; copy it, or name its folder as 'data-root'");
  EXPECT_EQ(resolve("hard.bin", 0, 3, {path("models")}), "do ");
  EXPECT_EQ(resolve("hard.bin", 0, 3, {path("elsewhere")}).substr(0, 30),
            "external file 'hard.bin' has 2");
}

TEST_F(ExternalDataTest, RefusesPathsOutOfTheFolder) {
  EXPECT_EQ(resolve("../secret"),
            "external file '../secret' is outside the model's folder");
  EXPECT_EQ(resolve("sub/../../secret"),
            "external file 'sub/../../secret' is outside the model's folder");
  // Out and in again: still depends on names outside.
  EXPECT_EQ(resolve("../models/w.bin"),
            "external file '../models/w.bin' is outside the model's folder");
  EXPECT_EQ(resolve(path("models/w.bin")),
            "external file 'models/w.bin' is an absolute path, expected one "
            "relative to the model's folder");
  EXPECT_EQ(resolve("//w.bin"),
            "external file '//w.bin' is an absolute path, expected one "
            "relative to the model's folder");
  EXPECT_EQ(resolve(std::string("w.bin\0x", 7)),
            "external file 'w.bin\\x00x' has a zero byte in its name");
}

TEST_F(ExternalDataTest, LinksMayNotLeaveTheFolder) {
  std::filesystem::create_symlink("sub/v.bin", path("models/inside"));
  std::filesystem::create_symlink(path("models/w.bin"),
                                  path("models/absolute"));
  std::filesystem::create_symlink("../secret", path("models/outside"));
  std::filesystem::create_symlink("..", path("models/up"));
  EXPECT_EQ(resolve("inside"), "abc");
  EXPECT_EQ(resolve("absolute"), "012");
  EXPECT_EQ(resolve("outside"),
            "external file 'outside' is outside the model's folder");
  EXPECT_EQ(resolve("up/secret"),
            "external file 'up/secret' is outside the model's folder");
  // A folder whose name begins with the model's folder's is another one.
  std::filesystem::create_directory(path("models2"));
  write("models2/w.bin", "xyz");
  std::filesystem::create_symlink("../models2/w.bin", path("models/twin"));
  EXPECT_EQ(resolve("twin"),
            "external file 'twin' is outside the model's folder");
}

TEST_F(ExternalDataTest, ExtraRootsAllowLinks) {
  std::filesystem::create_symlink("../elsewhere/blob", path("models/hub"));
  EXPECT_EQ(resolve("hub", 0, 4, path("elsewhere")), "blob");
  EXPECT_EQ(resolve("hub"),
            "external file 'hub' is outside the model's folder");
  // A root allows links, but no paths that leave the folder by themselves.
  EXPECT_EQ(resolve("../elsewhere/blob", 0, 4, path("elsewhere")),
            "external file '../elsewhere/blob' is outside the model's folder");
}

TEST_F(ExternalDataTest, ModelInALinkedFolder) {
  std::filesystem::create_directory_symlink("models", path("alias"));
  ExternalData external(path("alias"));
  ExternalReference reference;
  reference.location = "w.bin";
  EXPECT_EQ(errorText(external.resolve(reference, 3, "m")), "");
}

TEST_F(ExternalDataTest, RefusesWhatIsNoFile) {
  EXPECT_EQ(
      resolve("none"),
      "external file 'none': cannot be opened: no such file or directory");
  EXPECT_EQ(resolve("sub"), "external file 'sub' is not a regular file");
  EXPECT_EQ(resolve("."), "external file '.' is outside the model's folder");
  ::mkfifo(path("models/pipe").c_str(), 0600);
  EXPECT_EQ(resolve("pipe"), "external file 'pipe' is not a regular file");
  EXPECT_EQ(resolve("w.bin/x"),
            "external file 'w.bin/x': cannot be opened: not a directory");
}

TEST_F(ExternalDataTest, ChecksRangesAgainstTheFile) {
  EXPECT_EQ(resolve("w.bin", 8, 3),
            "external file 'w.bin' has 10 bytes, expected 3 bytes at offset 8");
  EXPECT_EQ(resolve("w.bin", UINT64_MAX, 3),
            "external file 'w.bin' has 10 bytes, expected 3 bytes at offset "
            "18446744073709551615");
  EXPECT_EQ(resolve("w.bin", 2, UINT64_MAX),
            "external file 'w.bin' has 10 bytes, expected 18446744073709551615 "
            "bytes at offset 2");
}

TEST_F(ExternalDataTest, OpensEachFileOnceAndListsThem) {
  ExternalData external(path("models"));
  ExternalReference reference;
  InputFileRef first;
  for (const char *location : {"w.bin", "sub/v.bin", "w.bin"}) {
    reference.location = location;
    auto found = cantFail(external.resolve(reference, 1, "m"));
    if (!first)
      first = found.file;
  }
  EXPECT_EQ(first, cantFail(external.resolve(reference, 1, "m")).file);
  reference.location = "none";
  EXPECT_NE(errorText(external.resolve(reference, 1, "m")), "");
  auto files = external.files();
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].first, "sub/v.bin");
  EXPECT_EQ(files[1].first, "w.bin");
}

TEST_F(ExternalDataTest, MoreFilesThanTheSoftLimit) {
  rlimit saved, small;
  ::getrlimit(RLIMIT_NOFILE, &saved);
  small = saved;
  small.rlim_cur = 64;
  if (saved.rlim_max < 400)
    GTEST_SKIP() << "the hard limit is too low";
  ::setrlimit(RLIMIT_NOFILE, &small);
  ExternalData external(path("models"));
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    std::string name = "part" + std::to_string(i);
    write("models/" + name, "0123456789");
    ExternalReference reference;
    reference.location = name;
    found += errorText(external.resolve(reference, 3, "m")).empty();
  }
  ::setrlimit(RLIMIT_NOFILE, &saved);
  EXPECT_EQ(found, 200);
}

TEST(FolderOfModel, Names) {
  EXPECT_EQ(folderOfModel("a.onnx"), ".");
  EXPECT_EQ(folderOfModel("-"), ".");
  EXPECT_EQ(folderOfModel("x/y/a.onnx"), "x/y");
  EXPECT_EQ(folderOfModel("/a.onnx"), "/");
}

} // namespace
