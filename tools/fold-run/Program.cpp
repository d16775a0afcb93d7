//===- Program.cpp - From text to code that fold-run calls ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Program.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/gc/Scrub.h"
#include "onnxfold/tensorfolding/Passes.h"
#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "onnxfold/tensorfolding/runtime/Metadata.h"
#include "onnxfold/upstream/MlirText.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

static mlir::DialectRegistry makeRegistry() {
  mlir::DialectRegistry registry;
  registerConstantTensorDialects(registry);
  registerCompilation(registry);
  registry.insert<ElementsDialect, mlir::quant::QuantDialect>();
  return registry;
}

Program::Program() : context(makeRegistry()) {
  context.loadAllAvailableDialects();
}

llvm::Error Program::runPasses(StringRef pipeline) {
  mlir::PassManager manager(&context);
  std::string error;
  llvm::raw_string_ostream os(error);
  if (pipeline.consume_front("builtin.module("))
    pipeline.consume_back(")");
  if (pipeline.empty())
    return llvm::Error::success();
  if (failed(mlir::parsePassPipeline(pipeline, manager, os)))
    return makeRunError("the passes '" + pipeline +
                        "' cannot be parsed: " + error);
  return failed(manager.run(*parsed)) ? makeRunError("the passes failed")
                                      : llvm::Error::success();
}

/// Without constant tensors everything is given with each call.
static ConstantTensors withoutConstants(mlir::func::FuncOp entry) {
  ConstantTensors tensors;
  tensors.symbol = tensorfolding::metadataSymbol(entry.getName().str());
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes()))
    tensors.arguments.push_back({type, ConstantTier::Variable, int64_t(i)});
  llvm::append_range(tensors.results, entry.getResultTypes());
  return tensors;
}

llvm::Error Program::findEntry(StringRef wanted) {
  mlir::func::FuncOp found;
  llvm::SmallVector<mlir::func::FuncOp> folded, all;
  for (auto function : parsed->getOps<mlir::func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    all.push_back(function);
    if (function->hasAttr(constantTensorsAttrName))
      folded.push_back(function);
    if (function.getName() == wanted)
      found = function;
  }
  llvm::ArrayRef<mlir::func::FuncOp> candidates = folded.empty() ? all : folded;
  if (wanted.empty() && candidates.size() == 1)
    found = candidates.front();
  if (!found)
    return wanted.empty()
               ? makeRunError(
                     "there are " + llvm::Twine(candidates.size()) +
                     " functions to run, expected one, or --entry=NAME")
               : makeRunError("there is no public function '" + wanted + "'");
  name = found.getName().str();
  if (!found->hasAttr(constantTensorsAttrName))
    setConstantTensors(found, withoutConstants(found));
  auto attribute = getConstantTensors(found);
  if (failed(attribute))
    return makeRunError("'" + llvm::Twine(constantTensorsAttrName) + "' of '" +
                        name + "' cannot be read");
  tensors = *attribute;
  return llvm::Error::success();
}

llvm::Error Program::evaluate(const NumberedFiles &weights) {
  llvm::Error error = llvm::Error::success();
  CompileTimeOptions options;
  options.valueOf = [&](mlir::func::FuncOp entry, int64_t number) -> Elements {
    auto given = weights.find(number);
    auto known = getConstantTensors(entry);
    if (given == weights.end() || failed(known) || error)
      return {};
    auto value = readArgument(given->second, known->arguments[number].type,
                              "weight " + llvm::Twine(number) + " of '" +
                                  entry.getName() + "'");
    if (value)
      return *value;
    error = llvm::joinErrors(std::move(error), value.takeError());
    return {};
  };
  auto result = evaluateConstantTensors(*parsed, options);
  if (error)
    return error;
  if (failed(result))
    return makeRunError("constant tensors cannot be evaluated");
  evaluated = *result;
  return llvm::Error::success();
}

llvm::Error Program::fold(StringRef file, const ProgramOptions &options) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!buffer)
    return makeRunError("it cannot be read: " + buffer.getError().message());
  if (llvm::Error error = checkMlirText((*buffer)->getBuffer()))
    return error;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  parsed = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!parsed)
    return makeRunError("it is not a module that can be parsed");
  std::string pipeline = options.pipeline;
  if (pipeline.empty())
    pipeline = "constant-tensor-folding{mode=" + options.mode +
               (options.entry.empty() ? "" : " entries=" + options.entry) + "}";
  if (llvm::Error error = runPasses(pipeline))
    return error;
  if (options.mode != "runtime")
    if (llvm::Error error = evaluate(options.weights))
      return error;
  return findEntry(options.entry);
}

llvm::Error Program::lower() {
  // LLVM's own attributes have no number of their own for each element.
  scrub(*parsed, {.form = ScrubForm::Resource});
  mlir::PassManager manager(&context);
  addLowerConstantTensorsToLLVM(manager);
  if (failed(manager.run(*parsed)))
    return makeRunError("it cannot be lowered");
  return llvm::Error::success();
}

llvm::Error Program::compile(unsigned level) {
  if (llvm::Error error = lower())
    return error;
  auto code = CompiledModule::compile(*parsed, level);
  if (!code)
    return code.takeError();
  compiled.emplace(std::move(*code));
  return llvm::Error::success();
}
