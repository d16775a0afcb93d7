//===- Messages.cpp - Messages of the tool on standard error --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Messages.h"
#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "onnxfold/tools/support/Errors.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;
using llvm::json::Object;

/// Names in a model may hold any bytes; JSON holds UTF-8.
static std::string utf8(StringRef text) { return llvm::json::fixUTF8(text); }

void Messages::print(StringRef kind, Object fields) const {
  fields["kind"] = kind;
  std::string line;
  llvm::raw_string_ostream out(line);
  out << llvm::json::Value(std::move(fields)) << "\n";
  llvm::errs() << line;
}

void Messages::warn(StringRef text) const {
  if (isJson)
    return print("warning", Object{{"text", utf8(text)}});
  llvm::errs() << "onnx-fold: warning: " << printableText(text) << "\n";
}

void Messages::waits(StringRef output) const {
  if (isJson)
    return print("waits", Object{{"file", utf8(output)}});
  llvm::errs() << "onnx-fold: waiting for another run that writes "
               << printableText(output) << "\n";
}

/// Names in it make no lines.
static VerifyResult printable(VerifyResult result) {
  for (ComparedValue &value : result.compared) {
    value.name = printableText(value.name);
    value.difference = printableText(value.difference);
  }
  for (NotRun &entry : result.notRun) {
    entry.name = printableText(entry.name);
    entry.reason.text = printableText(entry.reason.text);
  }
  return result;
}

void Messages::printed(StringRef text) const {
  if (isRelayed)
    print("printed", Object{{"text", utf8(text)}});
}

void Messages::ready(llvm::ArrayRef<std::string> files) const {
  llvm::json::Array names;
  for (const std::string &file : files)
    names.push_back(utf8(file));
  print("ready", Object{{"files", std::move(names)}});
}

void Messages::table(llvm::json::Array models) const {
  if (isJson)
    print("table", Object{{"models", std::move(models)}});
}

/// The JSON report has it as a part.
void Messages::verified(const VerifyResult &found, bool all) const {
  if (isJson && !isRelayed)
    return;
  VerifyResult result = printable(found);
  std::string text;
  llvm::raw_string_ostream out(text);
  result.print(out, all && !isRelayed);
  if (isRelayed)
    return text.empty() ? void()
                        : print("verified", Object{{"text", utf8(text)}});
  llvm::SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    llvm::errs() << "onnx-fold: verify: " << printableText(line) << "\n";
}

void Messages::progress(Object fields) const {
  if (isJson)
    print("progress", std::move(fields));
}

void Messages::report(const FoldReport &report) const {
  if (!isJson)
    return;
  std::string line;
  llvm::raw_string_ostream out(line);
  printJson(out, report, /*indent=*/0);
  this->report(line);
}

void Messages::report(StringRef json) const {
  if (isJson)
    llvm::errs()
        << ("{\"kind\":\"report\",\"report\":" + json.trim() + "}\n").str();
}

void Messages::end(int status, bool isChanged) const {
  if (isJson)
    print("end", Object{{"status", status}, {"changed", isChanged}});
}

void Messages::fail(StringRef code, const ModelFault &fault,
                    StringRef model) const {
  printError("onnx-fold", fault, {isJson, code, model});
}

void Messages::failUsage(llvm::Error error) const {
  fail("usage", takeUsageFault(std::move(error)));
}
