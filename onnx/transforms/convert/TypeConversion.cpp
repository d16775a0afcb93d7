//===- TypeConversion.cpp - A model in other element types ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/convert/TypeConversion.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/convert/internal/SchemaTypes.h"
#include "onnxfold/onnx/transforms/convert/internal/TypeRewriter.h"

using namespace onnxfold;
using namespace mlir;

/// Casts may be needed everywhere: each import of ai.onnx must have one that
/// takes the types.
static llvm::Error checkOpset(Operation *function, ArrayRef<TypePair> pairs) {
  constexpr int64_t castToNumber = 6; // before, `to` is text
  std::optional<int64_t> opset = importedOpset(function, "");
  if (!opset) // its nodes stay
    return llvm::Error::success();
  const onnx::OpSchema *schema = lookupSchema("", "Cast", *opset);
  for (const TypePair &pair : pairs)
    for (DataType type : {pair.from, pair.to})
      if (*opset < castToNumber || !schema ||
          !formalInput(*schema, 0, type).takes)
        return ModelFault("Cast of opset " + Twine(*opset) +
                          " does not convert " + name(type))
            .expected("a later one (" + setting("target-opset") + ")");
  return llvm::Error::success();
}

llvm::Expected<TypeConversion>
onnxfold::convertTypes(ModuleOp module, const TypeConversionOptions &options,
                       RewriteSession &session) {
  TypeClasses classes(options.pairs);
  ClassCollector collector(module, options, classes);
  collector.run();
  TypeDecision decision(module, options, classes, collector);
  decision.run();
  auto isConverted = [&](const auto &entry) {
    return !classes.isKept(entry.first);
  };
  if (llvm::any_of(classes.members(), isConverted))
    for (Operation *function : collector.functions())
      if (llvm::Error error = checkOpset(function, options.pairs))
        return error;
  TypeRewriter rewriter(module, classes, collector, decision, session);
  if (llvm::Error error = rewriter.run())
    return error;
  TypeConversion done = rewriter.takeResult();
  done.pairs = options.pairs;
  return done;
}
