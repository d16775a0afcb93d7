//===- BoundaryTest.cpp - Sequences in and out of programs ----------------===//
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
  EXPECT_DEATH(s.at(0).data<double>(), "element of type code 0x40020 where "
                                       "0x40040 is expected");
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
