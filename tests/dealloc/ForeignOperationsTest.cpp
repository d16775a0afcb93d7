//===- ForeignOperationsTest.cpp - What deallocate refuses of others ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operations of dialects that fold-opt does not have. Each is an error that
// names the operation, or is known to be harmless; none is freed by a function
// that cannot free it, and none is forgotten.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/dealloc/reuse/Programs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace onnxfold;
using testing::HasSubstr;

namespace {

struct Refusal {
  const char *name;
  const char *body; // of a function with %x: memref<2xi32>
  const char *error;
};

void PrintTo(const Refusal &refusal, std::ostream *os) { *os << refusal.name; }

/// The diagnostics of deallocate, and the module afterwards.
std::pair<std::string, std::string> deallocate(const std::string &text) {
  std::string error;
  auto module = parseProgram(text, error);
  EXPECT_TRUE(module) << error;
  if (!module)
    return {};
  bool done = runPasses(*module, "deallocate", error);
  EXPECT_EQ(done, error.empty());
  return {error, textOf(*module)};
}

std::string functionOf(const Refusal &refusal) {
  return std::string("func.func @f(%x: memref<2xi32>) {\n") + refusal.body +
         "  return\n}\n";
}

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithAnErrorThatNamesIt) {
  std::string text = functionOf(GetParam()), ignored;
  auto [error, after] = deallocate(text);
  EXPECT_THAT(error, HasSubstr(GetParam().error)) << after;
  auto before = parseProgram(text, ignored);
  ASSERT_TRUE(before);
  EXPECT_EQ(after, textOf(*before)); // an error leaves the module as it was
}

INSTANTIATE_TEST_SUITE_P(
    Operations, Refused,
    testing::Values(
        Refusal{"memory_of_a_device", R"(
  %m = gpu.alloc () : memref<2xi32, 1>
)",
                "'gpu.alloc' op allocates memory that deallocation.free cannot "
                "free, expected memref.alloc"},
        // Its own dealloc does not make it known where it ends.
        Refusal{"memory_of_a_device_that_is_freed", R"(
  %m = gpu.alloc () : memref<2xi32, 1>
  gpu.dealloc %m : memref<2xi32, 1>
)",
                "'gpu.alloc' op allocates memory that deallocation.free"},
        Refusal{"work_that_goes_on", R"(
  %t = async.execute {
    %i = arith.constant 0 : index
    %v = memref.load %x[%i] : memref<2xi32>
    async.yield
  }
  async.await %t : !async.token
)",
                "'async.execute' op is not supported by deallocate: it may use "
                "memrefs after the operations that follow it"},
        Refusal{"a_copy_that_goes_on", R"(
  %w = gpu.wait async
  %t = gpu.memcpy async [%w] %x, %x : memref<2xi32>, memref<2xi32>
)",
                "'gpu.memcpy' op is not supported by deallocate: it may use "
                "memrefs after the operations that follow it"},
        Refusal{"a_region_of_a_warp_that_gives_memrefs", R"(
  %lane = arith.constant 0 : index
  %r = gpu.warp_execute_on_lane_0(%lane)[32] -> (memref<2xi32>) {
    %m = memref.alloc() : memref<2xi32>
    gpu.yield %m : memref<2xi32>
  }
)",
                "'gpu.warp_execute_on_lane_0' op is not supported by "
                "deallocate: it passes memrefs through its regions"},
        Refusal{"memory_in_a_function_of_another_kind", R"(
  return
}
gpu.module @kernels {
  gpu.func @kernel() {
    %m = memref.alloc() : memref<2xi32>
    gpu.return
  }
}
func.func @g() {
)",
                "'memref.alloc' op allocates outside of the functions of the "
                "module that deallocate runs on"},
        Refusal{"a_memref_stored_in_a_memref", R"(
  %where = memref.alloc() : memref<memref<2xi32>>
  memref.store %x, %where[] : memref<memref<2xi32>>
)",
                "'memref.store' op stores a memref in another memref"}),
    [](const auto &info) { return info.param.name; });

/// What is used inside is used by the operation.
TEST(ForeignOperations, ThatOnlyUseAreUses) {
  auto [error, after] = deallocate(R"(
func.func @f(%lane: index) {
  %i = arith.constant 0 : index
  %m = memref.alloc() : memref<2xi32>
  gpu.warp_execute_on_lane_0(%lane)[32] {
    %v = memref.load %m[%i] : memref<2xi32>
    %inner = memref.alloc() : memref<2xi32>
    memref.store %v, %inner[%i] : memref<2xi32>
  }
  return
})");
  EXPECT_EQ(error, "");
  // One free in the region and one after it.
  size_t region = after.find("gpu.warp_execute_on_lane_0");
  size_t first = after.find("deallocation.retain()", region);
  size_t second = after.find("deallocation.retain()", first + 1);
  size_t end = after.find("\n    }", region);
  EXPECT_LT(region, first);
  EXPECT_LT(first, end);
  EXPECT_LT(end, second);
  EXPECT_EQ(countOf(after, "deallocation.retain()"), 2u) << after;
}

} // namespace
