//===- CompileModel.cpp - From a model to machine code --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/compile/CompileModel.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/gc/Scrub.h"
#include "onnxfold/onnx/compile/internal/ChildProcess.h"
#include "onnxfold/onnx/compile/internal/CodeGeneration.h"
#include "onnxfold/onnx/compile/internal/LenientReading.h"
#include "onnxfold/onnx/driver/fold/ModuleFolding.h"
#include "onnxfold/onnx/driver/prepare/PreparedModel.h"
#include "onnxfold/onnx/folding/AlwaysInline.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/tosequence/Passes.h"
#include "onnxfold/sequence/Dialect.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/Module.h"
#include <cstring>

using namespace onnxfold;
using namespace mlir;

std::string CompileOptions::text() const {
  std::string text = std::to_string(level) + " " + std::to_string(fold) +
                     std::to_string(bufferReuse) + std::to_string(ownPasses);
  for (const std::string &shape : fixed.shapeTexts)
    text += " " + shape;
  return text;
}

namespace {
/// Says which pass runs, and which one failed.
class StepInstrumentation : public PassInstrumentation {
public:
  StepInstrumentation(std::function<void(StringRef)> step, std::string &failed)
      : step(std::move(step)), failed(failed) {}

  void runBeforePass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      step(pass->getArgument());
  }
  /// The passes around it fail after it.
  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (failed.empty())
      failed = pass->getArgument();
  }

private:
  std::function<void(StringRef)> step;
  std::string &failed;
};

/// One call of compileModel.
class Compilation {
public:
  /// `settings`: of the preparation.
  Compilation(StringRef file, const CompileOptions &options,
              const FoldOptions &settings, RunScope &scope)
      : file(file), options(options), settings(settings), scope(scope),
        modelContext(makeRegistry()) {}

  llvm::Error run(CompiledModel &result);

private:
  llvm::Error compileOrCall(CompiledModel &result);
  static DialectRegistry makeRegistry();
  FunctionOpInterface mainGraph() {
    return cast<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(*model.module, mainGraphSymbol));
  }
  llvm::Error read(CompiledModel &result);
  void completeOutputs();
  llvm::Error fold();
  void inferTypes();
  void refineTypes();
  llvm::Error withErrors(llvm::function_ref<LogicalResult()> action,
                         const std::string &pass = "");
  llvm::Error runPasses(llvm::function_ref<void(OpPassManager &)> add);
  llvm::Error verified();
  void addLowering(OpPassManager &manager);
  bool hasSequences();
  llvm::Error checkResults(Signature &signature);
  llvm::Error lower();
  void addEntry(const Signature &signature);
  llvm::Error generate(CompiledModel &result);
  llvm::Error compile(CompiledModel &result);
  llvm::Error attempt(bool withOwnPasses, CompiledModel &result);
  bool hasAllKernels();
  llvm::Error callKernels(CompiledModel &result);
  llvm::Error failed(const Twine &text);
  /// An error of the model itself, after which nothing else is tried.
  llvm::Error refused(const Twine &text) {
    isRefused = true;
    return failed(text);
  }
  void step(StringRef name) { note->set(name); }

  StringRef file;
  const CompileOptions &options;
  const FoldOptions &settings;
  RunScope &scope;
  ModelContext modelContext;
  MLIRContext &context = modelContext;
  PreparedModel prepared;
  ImportedModel &model = prepared.imported;
  bool ownPasses = true, isRefused = false;
  StepNote *note = nullptr; // of the child process
};
} // namespace

DialectRegistry Compilation::makeRegistry() {
  DialectRegistry registry;
  registry.insert<LLVM::LLVMDialect>();
  sequence::registerSequenceDialects(registry);
  registerDeallocationDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  return registry;
}

llvm::Error Compilation::failed(const Twine &text) {
  return makeRunError(file + ": " + text);
}

/// An initializer that is an input too has that value.
llvm::Error Compilation::read(CompiledModel &result) {
  ModelSource source(ModelInput::file(file));
  llvm::Error error = scope.steps({
      {"schemas", [&] { return modelContext.addFolding(settings, scope); }},
      {"prepare",
       [&] {
         return prepareModel(source, settings, modelContext, scope, prepared,
                             InputDefaults::Fixed);
       }},
  });
  if (error)
    return error;
  for (const auto &[location, data] : model.external->files())
    result.dataFiles.push_back(data->name().str());
  importKnownDomains(*model.module);
  return error;
}

llvm::Error Compilation::fold() {
  ModuleFoldingOptions chosen;
  chosen.level = 2; // a Conv takes its BatchNormalization in
  chosen.dropsIdleFunctions = true;
  chosen.evaluation.refinesTypes = true;
  ModuleFolding folding(*model.module, std::move(chosen));
  if (llvm::Error error = folding.run())
    return refused(llvm::toString(std::move(error)));
  folding.plan().apply();
  return llvm::Error::success();
}

/// Gives values the types that follow from their operands, where the model says
/// none: all of them if it was not folded, and those in functions, which have a
/// type only where they are called.
void Compilation::inferTypes() {
  if (options.fold &&
      llvm::hasSingleElement(model.module->getOps<func::FuncOp>()))
    return;
  refineTypes();
}

void Compilation::refineTypes() {
  inlineCalls(*model.module, {mainGraph().getOperation()});
  EvaluationOptions evaluated = onnxEvaluationOptions();
  evaluated.refinesTypes = true;
  Evaluation(mainGraph(), evaluated).run();
  updateType(mainGraph());
}

/// An output of which the model says no type has the one that is inferred.
void Compilation::completeOutputs() {
  if (llvm::any_of(mainGraph().getResultTypes(),
                   [](Type type) { return isa<OnnxUnknownType>(type); }))
    refineTypes();
}

/// Errors are collected as one, which names the pass that failed.
llvm::Error Compilation::withErrors(llvm::function_ref<LogicalResult()> action,
                                    const std::string &pass) {
  std::string text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      text += (text.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  if (succeeded(action()))
    return llvm::Error::success();
  if (text.empty())
    text = "it cannot be compiled";
  if (!pass.empty() && !StringRef(text).starts_with(pass))
    text = pass + ": " + text;
  return failed(text);
}

llvm::Error
Compilation::runPasses(llvm::function_ref<void(OpPassManager &)> add) {
  PassManager manager(&context);
  manager.enableVerifier(false);
  std::string failedPass;
  manager.addInstrumentation(std::make_unique<StepInstrumentation>(
      [this](StringRef name) { step(name); }, failedPass));
  add(manager);
  return withErrors([&] { return manager.run(*model.module); }, failedPass);
}

llvm::Error Compilation::verified() {
  return withErrors([&] { return mlir::verify(*model.module); }, "verifier");
}

bool Compilation::hasSequences() {
  auto isSequence = [](Type type) { return isa<sequence::SequenceType>(type); };
  if (llvm::any_of(mainGraph().getArgumentTypes(), isSequence))
    return true; // nobody need use it
  return model.module
      ->walk([&](Operation *op) {
        bool found = llvm::any_of(op->getOperandTypes(), isSequence) ||
                     llvm::any_of(op->getResultTypes(), isSequence);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// sequence::buildLowerSequenceToLLVM with our own passes for buffers.
void Compilation::addLowering(OpPassManager &manager) {
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(sequence::createCarriedShapesCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(sequence::createProtectArgumentsPass());
  manager.addPass(sequence::createEaseBufferizationPass());
  manager.addPass(bufferization::createOneShotBufferizePass(bufferize));
  manager.addPass(sequence::createRowMajorCastsPass());
  manager.addPass(createCanonicalizerPass());
  addBufferDeallocationAndReuse(
      manager, {.deallocate = {.publicResults = PublicResults::Clone},
                .reuse = {.stackBytes = 0},
                .bufferReuse = options.bufferReuse});
  manager.addPass(sequence::createRowMajorCastsPass());
  manager.addPass(sequence::createCheckArgumentsPass());
  manager.addPass(sequence::createConvertSeqToMemRefPass());
  manager.addPass(sequence::createVerifyLayoutsPass());
  addLowerDeallocationToLLVM(manager);
}

/// A caller relies on the ranks of a signature: an output has the shape that
/// was found. Its type must be the one that the model says.
llvm::Error Compilation::checkResults(Signature &signature) {
  auto fits = [](const ValueSignature &value, Type type) {
    if (value.isSequence)
      return isa<sequence::SequenceType>(type);
    auto tensor = dyn_cast<mlir::TensorType>(type);
    if (!tensor || tensor.hasRank() != value.shape.has_value())
      return false;
    return !value.shape || int64_t(value.shape->size()) == tensor.getRank();
  };
  ArrayRef<Type> types = mainGraph().getResultTypes();
  for (ValueSignature &value : signature.outputs) {
    size_t words = value.isOptional ? 2 : 1; // and whether it is there
    auto found = types.empty() ? RankedTensorType()
                               : dyn_cast<RankedTensorType>(types.front());
    if (found && !value.isSequence && !value.isOptional)
      value.setShape(found);
    if (types.size() < words || !fits(value, types.front())) {
      std::string text;
      if (!types.empty())
        llvm::raw_string_ostream(text) << types.front();
      return refused("output '" + value.name + "' is " + text +
                     ", but the model says " + value.text());
    }
    types = types.drop_front(words);
  }
  return llvm::Error::success();
}

/// Down to the LLVM dialect.
llvm::Error Compilation::lower() {
  if (ownPasses && !hasSequences())
    return runPasses([&](OpPassManager &manager) { addLowering(manager); });
  return runPasses([](OpPassManager &manager) {
    sequence::buildLowerSequenceToLLVM(manager);
  });
}

/// onnxfold_run(words): calls the main graph with the words of its C interface.
void Compilation::addEntry(const Signature &signature) {
  auto callee = model.module->lookupSymbol<LLVM::LLVMFuncOp>(
      ("_mlir_ciface_" + mainGraphSymbol).str());
  OpBuilder builder(&context);
  Location location = builder.getUnknownLoc();
  builder.setInsertionPointToEnd(model.module->getBody());
  Type pointer = LLVM::LLVMPointerType::get(&context);
  auto entry = LLVM::LLVMFuncOp::create(
      builder, location, "onnxfold_run",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&context),
                                  {pointer}));
  std::string text = signature.toText() + '\0';
  LLVM::GlobalOp::create(
      builder, location,
      LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
      /*isConstant=*/true, LLVM::Linkage::External, "onnxfold_signature",
      builder.getStringAttr(text));
  builder.setInsertionPointToStart(entry.addEntryBlock(builder));
  SmallVector<Value> arguments;
  for (auto [i, type] : llvm::enumerate(callee.getFunctionType().getParams())) {
    Value place = LLVM::GEPOp::create(
        builder, location, pointer, builder.getI64Type(), entry.getArgument(0),
        ArrayRef<LLVM::GEPArg>(int32_t(i)));
    arguments.push_back(LLVM::LoadOp::create(builder, location, type, place));
  }
  LLVM::CallOp::create(builder, location, callee, arguments);
  LLVM::ReturnOp::create(builder, location, ValueRange());
}

llvm::Error Compilation::generate(CompiledModel &result) {
  // The passes do not verify what they make, and MLIR's translation ends the
  // process on what is not valid.
  step("verifier");
  if (llvm::Error error = verified())
    return error;
  step("translation to LLVM's IR");
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> module;
  if (llvm::Error error = withErrors(
          [&] {
            module = translateModuleToLLVMIR(*model.module, llvmContext);
            return success(bool(module));
          },
          "translation to LLVM's IR"))
    return error;
  return generateCode(
      *module, options, [&](StringRef name) { step(name); }, result.code);
}

llvm::Error Compilation::compile(CompiledModel &result) {
  step("folding");
  DeclaredOutputs outputs(mainGraph());
  if (options.fold)
    if (llvm::Error error = fold())
      return error;
  inferTypes();
  while (outputs.openCarriedScalars())
    refineTypes();
  outputs.restore();
  if (llvm::Error error = runPasses([](OpPassManager &manager) {
        manager.addPass(createConvertOnnxToSequencePass());
      }))
    return error;
  for (auto function : model.module->getOps<func::FuncOp>())
    if (function.getName() != mainGraphSymbol)
      function.setPrivate();
    else
      function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                        UnitAttr::get(&context));
  if (options.form == CodeForm::Mlir) {
    llvm::raw_svector_ostream out(result.code);
    model.module->print(out);
    return llvm::Error::success();
  }
  if (llvm::Error error = checkResults(result.signature))
    return error;
  scrub(*model.module, {.form = ScrubForm::Resource});
  if (llvm::Error error = lower())
    return error;
  addEntry(result.signature);
  return generate(result);
}

//===----------------------------------------------------------------------===//
// Attempts
//===----------------------------------------------------------------------===//

/// Strings as one, for the pipe between two processes.
static std::string packed(ArrayRef<StringRef> strings) {
  std::string bytes;
  for (StringRef string : strings) {
    uint64_t size = string.size();
    bytes.append(reinterpret_cast<const char *>(&size), sizeof(size));
    bytes += string;
  }
  return bytes;
}

static SmallVector<StringRef> unpacked(StringRef bytes) {
  SmallVector<StringRef> strings;
  while (!bytes.empty()) {
    uint64_t size;
    std::memcpy(&size, bytes.data(), sizeof(size));
    bytes = bytes.drop_front(sizeof(size));
    strings.push_back(bytes.take_front(size));
    bytes = bytes.drop_front(size);
  }
  return strings;
}

/// Compiles in a child process, so that the model is unchanged afterwards.
llvm::Error Compilation::attempt(bool withOwnPasses, CompiledModel &result) {
  ownPasses = withOwnPasses;
  auto bytes = runInChild(
      [&](StepNote &childNote) {
        note = &childNote;
        // A pool of the parent has no threads here.
        llvm::DefaultThreadPool pool(
            llvm::hardware_concurrency(options.threads));
        std::optional<ParallelScope> parallel;
        if (pool.getMaxConcurrency() > 1)
          parallel.emplace(pool);
        CompiledModel made;
        made.signature = result.signature;
        llvm::Error error = compile(made);
        std::string text = error ? llvm::toString(std::move(error)) : "";
        StringRef code(made.code.data(), made.code.size());
        return packed(
            {text, isRefused ? "refused" : "", code, made.signature.toText()});
      },
      scope.question());
  if (!bytes)
    return failed(llvm::toString(bytes.takeError()));
  SmallVector<StringRef> strings = unpacked(*bytes);
  isRefused = !strings[1].empty();
  if (!strings[0].empty())
    return makeRunError(strings[0]);
  auto signature = Signature::fromText(strings[3]);
  if (!signature)
    return signature.takeError();
  for (const std::string &text : contradictions(result.signature, *signature))
    scope.warn(text);
  result.signature = std::move(*signature);
  result.code.assign(strings[2].begin(), strings[2].end());
  return llvm::Error::success();
}

/// Whether every operator has a kernel that may be called.
bool Compilation::hasAllKernels() {
  return !mainGraph()
              ->walk([](Operation *op) {
                Operator node = Operator::from(op);
                if (!node || (node.domain() == "onnx-fold"))
                  return WalkResult::advance();
                const auto &dialect = FoldingInterface::orDefault(op);
                bool hasKernel =
                    !dialect.mustBeKept(op) &&
                    (op->getNumRegions() != 0 ||
                     bool(dialect.kernelOf(op, dialect.versionOf(op))));
                return hasKernel ? WalkResult::advance()
                                 : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// A program that only calls kernels. REQUIRES: hasAllKernels().
llvm::Error Compilation::callKernels(CompiledModel &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  mainGraph()->print(os, OpPrintingFlags().useLocalScope());
  result.isCompiled = false;
  return generateCallOfKernels(text, result.signature.toText(), options.form,
                               result.code);
}

llvm::Error Compilation::run(CompiledModel &result) {
  if (llvm::Error error = compileOrCall(result))
    return error;
  return model.checkUnchanged();
}

/// The program, or one that calls kernels where none can be made.
llvm::Error Compilation::compileOrCall(CompiledModel &result) {
  if (llvm::Error error = read(result))
    return error;
  completeOutputs();
  auto signature = signatureOf(mainGraph());
  if (!signature)
    return failed(llvm::toString(signature.takeError()));
  result.signature = std::move(*signature);
  llvm::Error error = attempt(options.ownPasses, result);
  if (error && scope.isCancelled())
    return error;
  if (error && options.ownPasses && !isRefused) {
    std::string why = llvm::toString(std::move(error));
    error = attempt(/*withOwnPasses=*/false, result);
    if (!error)
      scope.warn("MLIR's own passes free the buffers: " + why);
  }
  if (!error || isRefused || options.form == CodeForm::Mlir)
    return error;
  inlineCalls(*model.module, {mainGraph().getOperation()});
  if (!hasAllKernels())
    return error;
  scope.warn("the kernels of its operators are called one after "
             "the other, since it cannot be compiled: " +
             llvm::toString(std::move(error)));
  return callKernels(result);
}

/// Preparation computes little, and what is compiled in a child has threads of
/// its own: a process that is forked has none beside.
static FoldOptions settingsOf(const CompileOptions &options) {
  FoldOptions settings;
  settings.quantization = FoldQuantization::All;
  settings.fixed = options.fixed;
  settings.threads = 1;
  return settings;
}

llvm::Expected<CompiledModel>
onnxfold::compileModel(StringRef file, const CompileOptions &options,
                       const FoldCallbacks &callbacks) {
  CompiledModel result;
  FoldOptions settings = settingsOf(options);
  FoldReport report;
  llvm::Error error =
      runInScope(file, settings, report, callbacks, [&](RunScope &scope) {
        return Compilation(file, options, settings, scope).run(result);
      });
  if (error)
    return error;
  result.warnings = std::move(report.warnings);
  return result;
}
