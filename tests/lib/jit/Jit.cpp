//===- Jit.cpp ------------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/tests/lib/jit/Jit.h"

#include "onnxfold/dealloc/optimizer/Optimizer.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <chrono>
#include <cstring>
#include <map>

using namespace onnxfold;
using llvm::StringRef;

namespace {

std::vector<std::string> &observed() {
  static std::vector<std::string> values;
  return values;
}

std::string textOf(int64_t value) { return std::to_string(value); }

std::string textOf(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}

extern "C" {
void onnxfoldObserveI64(int64_t value) { observed().push_back(textOf(value)); }
void onnxfoldObserveI32(int32_t value) {
  observed().push_back(textOf(int64_t(value)));
}
void onnxfoldObserveF64(double value) { observed().push_back(textOf(value)); }
void onnxfoldObserveF32(float value) {
  observed().push_back(textOf(double(value)));
}
int64_t onnxfoldOpaqueI64(int64_t value) { return value; }
bool onnxfoldOpaqueI1(bool value) { return value; }
}

template <typename F> void *addressOf(F *function) {
  return reinterpret_cast<void *>(function);
}

std::vector<std::pair<std::string, void *>> standardSymbols() {
  return {
      {"_mlir_memref_to_llvm_alloc", addressOf(countingAlloc)},
      {"_mlir_memref_to_llvm_aligned_alloc", addressOf(countingAlignedAlloc)},
      {"_mlir_memref_to_llvm_free", addressOf(countingFree)},
      {"malloc", addressOf(countingAlloc)},
      {"aligned_alloc", addressOf(countingAlignedAlloc)},
      {"free", addressOf(countingFree)},
      {"observe_i64", addressOf(onnxfoldObserveI64)},
      {"observe_index", addressOf(onnxfoldObserveI64)},
      {"observe_i32", addressOf(onnxfoldObserveI32)},
      {"observe_f64", addressOf(onnxfoldObserveF64)},
      {"observe_f32", addressOf(onnxfoldObserveF32)},
      {"opaque_i64", addressOf(onnxfoldOpaqueI64)},
      {"opaque_index", addressOf(onnxfoldOpaqueI64)},
      {"opaque_i1", addressOf(onnxfoldOpaqueI1)}};
}

/// One scalar of a result, and where it stands in the result's memory.
struct Scalar {
  bool isFloat;
  unsigned bytes;
  unsigned offset;
};

/// Appends the scalars of `type` as C lays them out; false for other types.
bool layOut(mlir::Type type, std::vector<Scalar> &scalars, unsigned &offset) {
  if (auto structure = llvm::dyn_cast<mlir::LLVM::LLVMStructType>(type)) {
    // A struct of scalars: each at the next multiple of its own size.
    return llvm::all_of(structure.getBody(), [&](mlir::Type member) {
      return layOut(member, scalars, offset);
    });
  }
  unsigned bytes = 0;
  bool isFloat = llvm::isa<mlir::Float32Type, mlir::Float64Type>(type);
  if (isFloat || (llvm::isa<mlir::IntegerType>(type) &&
                  type.getIntOrFloatBitWidth() <= 64))
    bytes = llvm::PowerOf2Ceil((type.getIntOrFloatBitWidth() + 7) / 8);
  else
    return false;
  offset = llvm::alignTo(offset, bytes);
  scalars.push_back({isFloat, bytes, offset});
  offset += bytes;
  return true;
}

std::string read(const char *memory, const Scalar &scalar) {
  const char *from = memory + scalar.offset;
  if (scalar.isFloat && scalar.bytes == 4) {
    float value;
    std::memcpy(&value, from, 4);
    return textOf(double(value));
  }
  if (scalar.isFloat) {
    double value;
    std::memcpy(&value, from, 8);
    return textOf(value);
  }
  int64_t value = 0;
  std::memcpy(&value, from, scalar.bytes);
  unsigned unused = 64 - 8 * scalar.bytes;
  return textOf(int64_t(uint64_t(value) << unused) >> unused);
}

llvm::Error fail(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

} // namespace

struct Jit::Signature {
  struct Function {
    unsigned parameters;
    bool known; ///< all results are scalars that we can read
    std::vector<Scalar> results;
    unsigned bytes;
  };
  std::map<std::string, Function> functions;
};

Jit::Jit() = default;
Jit::Jit(Jit &&) noexcept = default;
Jit::~Jit() = default;

void onnxfold::registerJitDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::LLVM::LLVMDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

/// The error for the first operation that is not of the LLVM dialect.
static llvm::Error checkDialect(mlir::ModuleOp module) {
  mlir::Operation *foreign = nullptr;
  module.walk([&](mlir::Operation *op) {
    if (!llvm::isa<mlir::ModuleOp>(op) &&
        op->getName().getDialectNamespace() != "llvm") {
      foreign = op;
      return mlir::WalkResult::interrupt();
    }
    return mlir::WalkResult::advance();
  });
  if (!foreign)
    return llvm::Error::success();
  return fail("'" + foreign->getName().getStringRef() +
              "' is not of the LLVM dialect: lower the module first");
}

/// The engine makes its machine before it reads the level in its options, so
/// that all would be compiled at -O2, which takes most of the time of a test.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
machineFor(int optimizationLevel) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel(optimizationLevel));
  return builder->createTargetMachine();
}

llvm::Expected<Jit> Jit::compile(mlir::ModuleOp module,
                                 const JitOptions &options) {
  if (llvm::Error error = checkDialect(module))
    return error;
  [[maybe_unused]] static bool initialized =
      !llvm::InitializeNativeTarget() &&
      !llvm::InitializeNativeTargetAsmPrinter();

  Jit jit;
  jit.signatures = std::make_unique<Signature>();
  module.walk([&](mlir::LLVM::LLVMFuncOp function) {
    auto type = function.getFunctionType();
    Signature::Function &entry =
        jit.signatures->functions[function.getName().str()];
    entry.parameters = type.getNumParams();
    entry.bytes = 0;
    entry.known = llvm::isa<mlir::LLVM::LLVMVoidType>(type.getReturnType()) ||
                  layOut(type.getReturnType(), entry.results, entry.bytes);
  });

  auto transform = [level = options.optimizationLevel](llvm::Module *lowered) {
    optimize(*lowered, level, /*machine=*/nullptr);
    return llvm::Error::success();
  };
  mlir::ExecutionEngineOptions engineOptions;
  if (options.optimizationLevel)
    engineOptions.transformer = transform;
  std::vector<StringRef> libraries(options.sharedLibraries.begin(),
                                   options.sharedLibraries.end());
  engineOptions.sharedLibPaths = libraries;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto machine = machineFor(options.optimizationLevel);
  if (!machine)
    return machine.takeError();
  auto engine =
      mlir::ExecutionEngine::create(module, engineOptions, std::move(*machine));
  if (!engine)
    return engine.takeError();
  jit.engine = std::move(*engine);
  jit.engine->registerSymbols([&](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap map;
    auto symbols = standardSymbols();
    llvm::append_range(symbols, options.symbols);
    for (auto &[name, address] : symbols)
      map[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                           llvm::JITSymbolFlags::Exported};
    return map;
  });
  return jit;
}

llvm::Expected<RunResult> Jit::run(StringRef function, size_t countFrom) {
  auto found = signatures->functions.find(function.str());
  if (found == signatures->functions.end())
    return fail("there is no function '" + function + "'");
  const Signature::Function &signature = found->second;
  if (signature.parameters)
    return fail("function '" + function + "' has " +
                llvm::Twine(signature.parameters) +
                " parameters, expected none");
  if (!signature.known)
    return fail("function '" + function +
                "' returns something that is not an integer or float");
  auto packed = engine->lookupPacked(function);
  if (!packed)
    return packed.takeError();

  resetCountingAllocator(countFrom);
  observed().clear();
  std::vector<char> memory(signature.bytes + 16);
  void *result = memory.data();
  void *arguments[] = {result};
  auto start = std::chrono::steady_clock::now();
  (*packed)(arguments);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;

  RunResult run;
  run.seconds = time.count();
  run.counts = countAllocations();
  run.values = std::move(observed());
  for (const Scalar &scalar : signature.results)
    run.values.push_back(read(memory.data(), scalar));
  return run;
}

std::string onnxfold::summarize(const AllocationCounts &counts) {
  return llvm::formatv("allocations={0} peak={1} peak-bytes={2} leaks={3} "
                       "double-frees={4} unknown-frees={5} use-after-free={6} "
                       "overruns={7}",
                       counts.allocations, counts.peakBuffers, counts.peakBytes,
                       counts.leaks, counts.doubleFrees, counts.unknownFrees,
                       counts.useAfterFree, counts.overruns)
      .str();
}
