//===- TargetLockTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/TargetLock.h"

#include "TestFiles.h"

#include <atomic>
#include <sys/file.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace onnxfold;

namespace {

class TargetLockTest : public FileTest {
protected:
  TargetLock acquire(const std::string &name) {
    return TargetLock::acquire(path(name), [&] { ++waits; });
  }
  std::atomic<unsigned> waits{0};
};

TEST_F(TargetLockTest, LeavesNothing) {
  {
    TargetLock lock = acquire("out.onnx");
    EXPECT_TRUE(lock.isHeld());
    EXPECT_TRUE(std::filesystem::exists(path(".out.onnx.onnxfold-lock")));
  }
  EXPECT_EQ(fileCount(), 0u);
  EXPECT_EQ(waits, 0u);
}

TEST_F(TargetLockTest, OtherTargetsDoNotWait) {
  TargetLock one = acquire("one.onnx"), other = acquire("other.onnx");
  EXPECT_TRUE(one.isHeld());
  EXPECT_TRUE(other.isHeld());
  EXPECT_EQ(waits, 0u);
}

/// A run that was killed leaves the file of its lock, and may leave more.
TEST_F(TargetLockTest, FreshIfNoRunWasKilled) {
  std::string target = std::filesystem::canonical(path(".")) / "out.onnx";
  EXPECT_FALSE(TargetLock::isFresh(target));
  {
    TargetLock lock = acquire("out.onnx");
    EXPECT_TRUE(TargetLock::isFresh(target));
  }
  EXPECT_FALSE(TargetLock::isFresh(target));
  write(".out.onnx.onnxfold-lock", "");
  TargetLock lock = acquire("out.onnx");
  EXPECT_TRUE(lock.isHeld());
  EXPECT_FALSE(TargetLock::isFresh(target));
}

/// A link and the file behind it are one target.
TEST_F(TargetLockTest, SecondRunWaitsThroughALink) {
  write("out.onnx", "old");
  std::filesystem::create_symlink("out.onnx", path("link.onnx"));
  TargetLock first = acquire("out.onnx");
  std::atomic<bool> entered{false};
  std::thread second([&] {
    TargetLock lock = acquire("link.onnx");
    EXPECT_TRUE(lock.isHeld());
    entered = true;
  });
  while (waits == 0)
    std::this_thread::yield();
  EXPECT_FALSE(entered);
  first = TargetLock(); // moved out: released at the end of the statement
  second.join();
  EXPECT_TRUE(entered);
  EXPECT_EQ(fileCount(), 2u);
}

/// Each holder removes the file, and others wait for a file that has lost its
/// name: still no two hold the lock at once.
TEST_F(TargetLockTest, ManyTakeTurns) {
  std::atomic<int> inside{0}, most{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (unsigned turn = 0; turn < 200; ++turn) {
        TargetLock lock = acquire("out.onnx");
        EXPECT_TRUE(lock.isHeld());
        most = std::max(most.load(), ++inside);
        --inside;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(fileCount(), 0u);
}

/// A killed run leaves the file but holds nothing.
TEST_F(TargetLockTest, LeftOverIsTakenAndRemoved) {
  pid_t child = ::fork();
  if (child == 0) {
    TargetLock lock = acquire("out.onnx");
    ::_exit(lock.isHeld() ? 0 : 1); // no destructor, as after SIGKILL
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(fileCount(), 1u);
  { EXPECT_TRUE(acquire("out.onnx").isHeld()); }
  EXPECT_EQ(waits, 0u);
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(TargetLockTest, NoLockIsNoError) {
  EXPECT_FALSE(acquire("no-such-folder/out.onnx").isHeld());
  EXPECT_FALSE(TargetLock::acquire("-", [] {}).isHeld());
  EXPECT_FALSE(TargetLock::acquire("/dev/null", [] {}).isHeld());
  // Somebody put a link there, which is not followed.
  std::filesystem::create_symlink("victim", path(".out.onnx.onnxfold-lock"));
  EXPECT_FALSE(acquire("out.onnx").isHeld());
  EXPECT_FALSE(std::filesystem::exists(path("victim")));
}

} // namespace
