//===- FuzzDml.cpp - The fuzz target of DML -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FuzzTargets.h"
#include "onnxfold/dml/import/ConvertScript.h"
#include "onnxfold/dml/syntax/Parser.h"
#include "onnx/onnx_pb.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;

static std::string print(const dml::Script &script) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  dml::print(stream, script);
  return text;
}

/// What is printed is the same script; what is translated is a model.
FuzzOutcome onnxfold::fuzzDml(llvm::StringRef bytes) {
  llvm::Expected<dml::Script> script = dml::parseScript(bytes, "script");
  if (!script) {
    llvm::consumeError(script.takeError());
    return FuzzOutcome::Refused;
  }
  std::string text = print(*script);
  llvm::Expected<dml::Script> again = dml::parseScript(text, "printed");
  if (!again)
    giveUp(llvm::createStringError(llvm::toString(again.takeError()) + "\n" +
                                   text),
           "what was printed cannot be read");
  if (std::string second = print(*again); second != text)
    giveUp(llvm::createStringError(text + "\n" + second),
           "what was printed is read as something else");
  llvm::Expected<std::string> model = dml::translateScript(bytes, {});
  if (!model) {
    llvm::consumeError(model.takeError());
    return FuzzOutcome::Read;
  }
  if (!onnx::ModelProto().ParseFromString(*model))
    giveUp(llvm::createStringError(text), "the model cannot be read");
  return FuzzOutcome::Folded;
}
