//===- FuzzText.cpp - The fuzz target of textual IR -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FuzzTargets.h"
#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ir/ElementsText.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/sequence/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace onnxfold;
using namespace mlir;

bool onnxfold::isReadableText(llvm::StringRef text) {
  int64_t depth = 0, most = 0;
  for (char c : text) {
    depth += llvm::StringRef("([{<").contains(c);
    depth -= llvm::StringRef(")]}>").contains(c);
    most = std::max(most, depth);
  }
  return most <= 200 && !text.contains('\0');
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

FuzzOutcome onnxfold::fuzzText(llvm::StringRef bytes) {
  if (!isReadableText(bytes))
    return FuzzOutcome::Refused;
  DialectRegistry registry;
  registerOnnxDialect(registry, OperatorSet::All);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<arith::ArithDialect, func::FuncDialect,
                      tensor::TensorDialect, ElementsDialect, OnnxDialect,
                      sequence::SequenceDialect,
                      deallocation::DeallocationDialect>();
  setConstantAsm(context, {printDense, parseDense});
  std::string said;
  context.getDiagEngine().registerHandler(
      [&](Diagnostic &diagnostic) { said = diagnostic.str(); });
  ParserConfig config(&context);
  // MLIR's lexer reads the null character behind it.
  std::string source = bytes.str();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, config);
  if (!module)
    return FuzzOutcome::Refused;
  std::string text = print(*module);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, config);
  if (!again)
    giveUp(llvm::createStringError(said + "\n" + text),
           "what was printed cannot be read");
  if (std::string second = print(*again); second != text)
    giveUp(llvm::createStringError(text + "\n" + second),
           "what was printed is read as something else");
  return FuzzOutcome::Read;
}
