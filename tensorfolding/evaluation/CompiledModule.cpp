//===- CompiledModule.cpp - Code of a module, in this process -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/evaluation/CompiledModule.h"
#include "onnxfold/dealloc/optimizer/Optimizer.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace onnxfold;
using namespace mlir;

void onnxfold::registerCompilation(DialectRegistry &registry) {
  registry.insert<LLVM::LLVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

CompiledModule::CompiledModule() = default;
CompiledModule::CompiledModule(CompiledModule &&) noexcept = default;
CompiledModule::~CompiledModule() = default;

static llvm::Error makeCompileError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// The first operation that is not of the LLVM dialect; a conversion cast only
/// if there is no other one, since it stands for its user.
static Operation *findForeign(ModuleOp module) {
  Operation *foreign = nullptr;
  module.walk([&](Operation *op) {
    if (isa<ModuleOp>(op) || op->getName().getDialectNamespace() == "llvm")
      return WalkResult::advance();
    foreign = op;
    return isa<UnrealizedConversionCastOp>(op) ? WalkResult::advance()
                                               : WalkResult::interrupt();
  });
  return foreign;
}

/// With the types of its operands, which no conversion took.
static std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "'" << op->getName() << "' of (" << op->getOperandTypes() << ")";
  return text;
}

static bool isScalable(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.isScalable();
}

/// LLVM ends the process where the machine has no registers for scalable
/// vectors. An operation that has one, or null.
static Operation *findScalable(ModuleOp module) {
  Operation *found = nullptr;
  module.walk([&](Operation *op) {
    if (llvm::none_of(op->getOperandTypes(), isScalable) &&
        llvm::none_of(op->getResultTypes(), isScalable))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Otherwise the engine prints the name, and fails at some later symbol.
static llvm::Error checkFunctions(ModuleOp module) {
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr); // this process
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function.isExternal() && !function.getName().starts_with("llvm.") &&
        !llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(
            function.getName().str()))
      return makeCompileError("function '" + function.getName() +
                              "' is not in this process");
  return llvm::Error::success();
}

/// The engine links what is looked up first: here, since the code generator may
/// call a function that this process lacks, whose name the engine prints.
static llvm::Error link(ModuleOp module, ExecutionEngine &engine) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal() ||
        function.getLinkage() != LLVM::Linkage::External)
      continue;
    auto address = engine.lookup(function.getName());
    if (!address)
      return llvm::joinErrors(makeCompileError("its code cannot be linked"),
                              address.takeError());
    return llvm::Error::success();
  }
  return llvm::Error::success();
}

llvm::Expected<CompiledModule> CompiledModule::compile(ModuleOp module,
                                                       unsigned level) {
  if (Operation *foreign = findForeign(module))
    return makeCompileError(describe(foreign) +
                            " is not of the LLVM dialect, expected a lowered "
                            "module");
  if (Operation *scalable = findScalable(module))
    return makeCompileError(describe(scalable) +
                            " has a scalable vector, expected vectors of a "
                            "fixed size to run here");
  if (llvm::Error error = checkFunctions(module))
    return error;
  [[maybe_unused]] static bool initialized =
      !llvm::InitializeNativeTarget() &&
      !llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel(level));
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  // The machine tells the optimiser how wide vectors are. The engine owns it
  // and compiles in create().
  auto transform = [level, host = machine->get()](llvm::Module *lowered) {
    optimize(*lowered, level, host);
    return llvm::Error::success();
  };
  ExecutionEngineOptions options;
  options.transformer = transform;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return engine.takeError();
  if (llvm::Error error = link(module, **engine))
    return error;
  CompiledModule compiled;
  compiled.engine = std::move(*engine);
  return compiled;
}

void *CompiledModule::lookup(StringRef symbol) const {
  auto address = engine->lookup(symbol);
  if (address)
    return *address;
  llvm::consumeError(address.takeError());
  return nullptr;
}

llvm::Error CompiledModule::call(StringRef function,
                                 MutableArrayRef<void *> arguments) const {
  auto packed = engine->lookupPacked(function);
  if (!packed)
    return packed.takeError();
  SmallVector<void *> places;
  for (void *&argument : arguments)
    places.push_back(&argument);
  (*packed)(places.data());
  return llvm::Error::success();
}
