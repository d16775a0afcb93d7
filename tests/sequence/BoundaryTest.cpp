//===- BoundaryTest.cpp - Sequences in and out of programs ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Programs compiled by --lower-sequence-to-llvm, called from C++ with
// runtime/Sequence.h. All memory is from the counting allocator.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/Dialect.h"
#include "onnxfold/sequence/runtime/Sequence.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/tests/lib/jit/Jit.h"
#include "onnxfold/tests/sequence/run/RuntimeSymbols.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/TargetSelect.h"
#include <gtest/gtest.h>

using namespace onnxfold;
using namespace onnxfold::sequence;

namespace {
struct Vector { // the descriptor of memref<?xf32>
  float *allocated, *aligned;
  int64_t offset, size, stride;
};

class Program {
public:
  explicit Program(llvm::StringRef source) {
    mlir::DialectRegistry registry;
    registerJitDialects(registry);
    registerSequenceDialects(registry);
    context.appendDialectRegistry(registry);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    mlir::PassManager manager(&context);
    buildLowerSequenceToLLVM(manager);
    EXPECT_TRUE(succeeded(manager.run(*module)));
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    engine = llvm::cantFail(mlir::ExecutionEngine::create(*module));
    engine->registerSymbols([](llvm::orc::MangleAndInterner mangle) {
      llvm::orc::SymbolMap map;
      for (auto &[name, address] : countedSymbols())
        map[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                             llvm::JITSymbolFlags::Exported};
      return map;
    });
  }

  template <typename Function> Function *function(const char *name) {
    return reinterpret_cast<Function *>(llvm::cantFail(engine->lookup(name)));
  }

private:
  mlir::MLIRContext context;
  std::unique_ptr<mlir::ExecutionEngine> engine;
};

class BoundaryTest : public ::testing::Test {
protected:
  void SetUp() override {
    resetCountingAllocator();
    countRuntimeMemory();
  }
  void TearDown() override {
    EXPECT_TRUE(countAllocations().clean()) << summarize(countAllocations());
  }
};

std::vector<float> valuesOf(SequenceElement element) {
  const float *data = element.data<float>();
  return {data, data + element.size()};
}

const char *append = R"mlir(
  !seq = !sequence.seq<tensor<?xf32>, ?>
  func.func @append(%s: !seq, %e: tensor<?xf32>) -> !seq
      attributes {llvm.emit_c_interface} {
    %t = sequence.insert %e into %s : tensor<?xf32>, !seq -> !seq
    return %t : !seq
  }
)mlir";
using Append = void(SequenceValue *, SequenceStorage *, int64_t, Vector *);
} // namespace

TEST_F(BoundaryTest, ASequenceGoesInAndOut) {
  Program program(append);
  float one[] = {1}, two[] = {2, 3};
  Vector element = {two, two, 0, 2, 1};
  Sequence before;
  before.append({1}, one);
  SequenceValue in = before.share(), out;
  program.function<Append>("_mlir_ciface_append")(&out, in.storage, in.length,
                                                  &element);
  Sequence after(out);
  ASSERT_EQ(after.length(), 2);
  EXPECT_EQ(valuesOf(after.at(0)), std::vector<float>({1}));
  EXPECT_EQ(valuesOf(after.at(-1)), std::vector<float>({2, 3}));
  // What was shared did not change, though both hold the same element.
  EXPECT_EQ(before.length(), 1);
  EXPECT_EQ(before.at(0).data<float>(), after.at(0).data<float>());
}

TEST_F(BoundaryTest, AGivenSequenceIsChangedInPlace) {
  Program program(append);
  auto *function = program.function<Append>("_mlir_ciface_append");
  float values[] = {7};
  Vector element = {values, values, 0, 1, 1};
  Sequence s;
  for (int i = 0; i < 1000; ++i) {
    SequenceValue in = std::move(s).give(), out;
    function(&out, in.storage, in.length, &element);
    s = Sequence(out);
  }
  EXPECT_EQ(s.length(), 1000);
  // Elements, and storages of 4, 8, ... 1024 slots.
  EXPECT_EQ(countAllocations().allocations, 1000 + 9);
}

TEST_F(BoundaryTest, SeveralResultsStandSideBySide) {
  Program program(R"mlir(
    !seq = !sequence.seq<tensor<*xf32>, ?>
    func.func @halves(%s: !seq, %t: tensor<?xf32>) -> (!seq, index, !seq)
        attributes {llvm.emit_c_interface} {
      %n = sequence.length %s : !seq
      %parts = sequence.split %t axis 0 chunk %n : tensor<?xf32> -> !seq
      return %parts, %n, %s : !seq, index, !seq
    }
  )mlir");
  struct Results {
    SequenceValue parts;
    int64_t length;
    SequenceValue same;
  } results;
  float values[] = {1, 2, 3, 4, 5};
  Vector tensor = {values, values, 0, 5, 1};
  Sequence s;
  s.append<float>({}, values);
  s.append({2, 2}, values);
  SequenceValue in = std::move(s).give();
  program.function<void(Results *, SequenceStorage *, int64_t, Vector *)>(
      "_mlir_ciface_halves")(&results, in.storage, in.length, &tensor);
  Sequence parts(results.parts), same(results.same);
  EXPECT_EQ(results.length, 2);
  ASSERT_EQ(parts.length(), 3);
  EXPECT_EQ(valuesOf(parts.at(1)), std::vector<float>({3, 4}));
  EXPECT_EQ(valuesOf(parts.at(2)), std::vector<float>({5}));
  EXPECT_EQ(same.at(1).shape(), std::vector<int64_t>({2, 2}));
  EXPECT_TRUE(same.at(0).shape().empty());
}

TEST_F(BoundaryTest, TheEmptySequenceHasNoStorage) {
  Program program(append);
  float values[] = {4};
  Vector element = {values, values, 0, 1, 1};
  SequenceValue out;
  program.function<Append>("_mlir_ciface_append")(&out, nullptr, 0, &element);
  Sequence s(out);
  Sequence copy = s;
  s = Sequence();
  EXPECT_EQ(valuesOf(copy.at(0)), std::vector<float>({4}));
}

TEST_F(BoundaryTest, ErrorsStopTheProgram) {
  float values[] = {4};
  Sequence s;
  s.append({1}, values);
  EXPECT_DEATH(s.at(1), "sequence.at: position 1 is not in \\[-1, 0\\] of a "
                        "sequence of length 1");
  EXPECT_DEATH(s.at(0).data<double>(), "sequence.at: the element has type "
                                       "f32 where f64 is expected");
  // A reference that was given away is not there any more.
  SequenceValue value = Sequence(s).share();
  onnxfoldSequenceDealloc(value.storage, value.length);
  EXPECT_DEATH(
      {
        onnxfoldSequenceDealloc(value.storage, 1);
        onnxfoldSequenceDealloc(value.storage, 1);
      },
      "released that was freed");
}

/// Of a tensor without elements, as many as its columns: 2^62, which were listed
/// before memory was asked for.
TEST_F(BoundaryTest, SlicesAreCounted) {
  struct {
    float *allocated = nullptr, *aligned = nullptr;
    int64_t offset = 0, sizes[2] = {0, int64_t(1) << 62}, strides[2] = {1, 1};
  } nothing;
  EXPECT_DEATH(onnxfoldSequenceSplit(uint32_t(ElementCode::F32), sizeof(float),
                                     /*rank=*/2, &nothing, /*axis=*/1,
                                     /*squeeze=*/0, /*chunk=*/1,
                                     /*extents=*/nullptr, "split"),
               "sequence: no memory for 4611686018427387904 elements");
  nothing.sizes[1] = 5;
  SequenceValue value = onnxfoldSequenceSplit(
      uint32_t(ElementCode::F32), sizeof(float), /*rank=*/2, &nothing,
      /*axis=*/1, /*squeeze=*/0, /*chunk=*/2, /*extents=*/nullptr, "split");
  Sequence slices(value);
  ASSERT_EQ(slices.length(), 3);
  EXPECT_EQ(slices.at(0).shape(), std::vector<int64_t>({0, 2}));
  EXPECT_EQ(slices.at(2).shape(), std::vector<int64_t>({0, 1}));
}

TEST_F(BoundaryTest, AHandlerGetsTheMessage) {
  // It may leave by an exception.
  struct Stopped {
    std::string message;
  };
  setSequenceErrorHandler([](const char *message) { throw Stopped{message}; });
  std::string message;
  try {
    Sequence().at(0);
  } catch (Stopped &stopped) {
    message = stopped.message;
  }
  setSequenceErrorHandler(nullptr);
  EXPECT_EQ(message,
            "sequence.at: position 0 is not in [0, -1] of a sequence of "
            "length 0");
}

/// What a program in another language passes is looked at, and the message says
/// which argument of which function it was.
TEST_F(BoundaryTest, ArgumentsAreChecked) {
  Program program(R"mlir(
    !seq = !sequence.seq<tensor<2x?xf32>, ?>
    func.func @first(%n: index, %s: !seq, %t: tensor<?x3xf32>) -> f32
        attributes {llvm.emit_c_interface} {
      %c0 = arith.constant 0 : index
      %e = sequence.at %s[%n] : !seq -> tensor<2x?xf32>
      %x = tensor.extract %e[%c0, %c0] : tensor<2x?xf32>
      %y = tensor.extract %t[%c0, %c0] : tensor<?x3xf32>
      %r = arith.addf %x, %y : f32
      return %r : f32
    }
  )mlir");
  struct Matrix {
    float *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  };
  auto *first =
      program.function<float(int64_t, SequenceStorage *, int64_t, Matrix *)>(
          "_mlir_ciface_first");
  float values[6] = {1, 2, 3, 4, 5, 6};
  double wide[4] = {};
  const Matrix good = {values, values, 0, {2, 3}, {3, 1}};
  auto call = [&](const Sequence &sequence, Matrix matrix) {
    SequenceValue in = sequence.share();
    return first(0, in.storage, in.length, &matrix);
  };
  Sequence fits;
  fits.append({2, 3}, values);
  fits.append({2, 1}, values);
  EXPECT_EQ(call(fits, good), 2);
  Sequence type = fits, rank = fits, size = fits;
  type.append({2, 2}, wide);
  rank.append({2}, values);
  size.append({3, 2}, values);
  EXPECT_DEATH(call(type, good), "argument 1 of first: element 2 has type f64 "
                                 "where f32 is expected");
  EXPECT_DEATH(call(rank, good), "argument 1 of first: element 2 has rank 1 "
                                 "where rank 2 is expected");
  EXPECT_DEATH(call(size, good), "argument 1 of first: element 2 has size 3 in "
                                 "dimension 0 where 2 is expected");
  Matrix matrix = good;
  EXPECT_DEATH(first(0, nullptr, 1, &matrix),
               "argument 1 of first has length 1 and room for 0 elements");
  matrix.sizes[1] = 2;
  EXPECT_DEATH(call(fits, matrix), "argument 2 of first has size 2 in "
                                   "dimension 1 where 3 is expected");
  matrix = good;
  matrix.strides[0] = 4;
  EXPECT_DEATH(call(fits, matrix), "argument 2 of first has stride 4 in "
                                   "dimension 0 where 3 is expected");
  matrix = good;
  matrix.offset = 1;
  EXPECT_DEATH(call(fits, matrix), "argument 2 of first has offset 1 where 0 "
                                   "is expected");
  matrix = good;
  matrix.aligned = nullptr;
  EXPECT_DEATH(call(fits, matrix), "argument 2 of first has no data");
}

/// A sequence that was found to be of a type may get elements of another type
/// in place, by a program or here: it is looked at again.
TEST_F(BoundaryTest, ACheckedSequenceMayChange) {
  Program program(R"mlir(
    !any = !sequence.seq<tensor<*xf32>, ?>
    !vectors = !sequence.seq<tensor<?xf32>, ?>
    func.func @length(%s: !vectors) -> index
        attributes {llvm.emit_c_interface} {
      %n = sequence.length %s : !vectors
      return %n : index
    }
    func.func @addMatrix(%s: !vectors, %t: tensor<1x1xf32>) -> !any
        attributes {llvm.emit_c_interface} {
      %r = sequence.insert %t into %s : tensor<1x1xf32>, !vectors -> !any
      return %r : !any
    }
  )mlir");
  struct Matrix {
    float *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  };
  auto *length = program.function<int64_t(SequenceStorage *, int64_t)>(
      "_mlir_ciface_length");
  float values[2] = {1, 2};
  Matrix one = {values, values, 0, {1, 1}, {1, 1}};
  Sequence s;
  s.append({1}, values);
  SequenceValue in = s.share();
  EXPECT_EQ(length(in.storage, in.length), 1);
  SequenceValue given = std::move(s).give(), out;
  program.function<void(SequenceValue *, SequenceStorage *, int64_t, Matrix *)>(
      "_mlir_ciface_addMatrix")(&out, given.storage, given.length, &one);
  Sequence mixed(out);
  EXPECT_DEATH(
      {
        SequenceValue in = mixed.share();
        length(in.storage, in.length);
      },
      "argument 0 of length: element 1 has rank 2 where rank 1 is expected");
  Sequence other;
  other.append({1}, values);
  in = other.share();
  EXPECT_EQ(length(in.storage, in.length), 1);
  other.append({1, 1}, values);
  EXPECT_DEATH(
      {
        SequenceValue in = other.share();
        length(in.storage, in.length);
      },
      "argument 0 of length: element 1 has rank 2 where rank 1 is expected");
}
