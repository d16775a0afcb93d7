//===- BatchTable.cpp - The outcome of several models ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "BatchTable.h"
#include "onnxfold/onnx/folding/JsonText.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <sys/wait.h>

using namespace onnxfold;
using llvm::StringRef;
using llvm::json::Object;

//===----------------------------------------------------------------------===//
// What a run said
//===----------------------------------------------------------------------===//

static void readReport(const Object &report, BatchOutcome &outcome) {
  outcome.hasReport = true;
  outcome.isChanged = report.getBoolean("changed").value_or(false);
  outcome.bytesBefore = report.getInteger("bytes_before").value_or(0);
  outcome.bytesAfter = report.getInteger("bytes_after").value_or(0);
  outcome.seconds = report.getNumber("seconds").value_or(0);
  const Object *ops = report.getObject("ops");
  if (!ops)
    return;
  for (const auto &[op, counts] : *ops)
    if (const llvm::json::Array *both = counts.getAsArray();
        both && both->size() == 2) {
      outcome.operatorsBefore += (*both)[0].getAsInteger().value_or(0);
      outcome.operatorsAfter += (*both)[1].getAsInteger().value_or(0);
    }
}

bool onnxfold::isProgressLine(StringRef line) {
  constexpr size_t mostBytes = 200; // others may have such a text in a name
  return line.size() < mostBytes && line.contains("\"kind\":\"progress\"");
}

void onnxfold::passOn(const BatchJob &job, StringRef line) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "{\"model\":" << llvm::json::Value(llvm::json::fixUTF8(job.input))
      << "," << line.drop_front() << "\n";
  llvm::errs() << text;
}

/// One line of a run, as text.
static void printLine(const BatchJob &job, const Object &fields,
                      const Options &options, const Messages &messages) {
  StringRef kind = fields.getString("kind").value_or("");
  StringRef text = fields.getString("text").value_or("");
  if (kind == "warning")
    return messages.warn(text);
  if (kind == "error")
    return messages.fail("failed", ModelFault(text));
  if (kind == "waits")
    return messages.waits(fields.getString("file").value_or(""));
  if (kind == "printed") {
    if (options.fold.report == ReportFormat::Text)
      llvm::errs() << printableText(job.input) << ":\n";
    llvm::errs() << text;
  }
  if (kind == "verified")
    for (StringRef line : llvm::split(text.rtrim('\n'), '\n'))
      llvm::errs() << "onnx-fold: verify: " << printableText(job.input) << ": "
                   << printableText(line) << "\n";
}

void onnxfold::readLines(const BatchJob &job, llvm::ArrayRef<std::string> lines,
                         const Options &options, const Messages &messages,
                         BatchOutcome &outcome) {
  for (StringRef line : lines) {
    llvm::Expected<llvm::json::Value> value = parseJson(line);
    Object *fields = value ? value->getAsObject() : nullptr;
    if (!fields) { // of the system, or of a library
      llvm::consumeError(value.takeError());
      messages.warn(job.input + ": " + line.str());
      continue;
    }
    if (const Object *report = fields->getObject("report"))
      readReport(*report, outcome);
    if (messages.isJson)
      passOn(job, line);
    else
      printLine(job, *fields, options, messages);
  }
}

void onnxfold::readStatus(const BatchJob &job, int wait,
                          const Messages &messages, BatchOutcome &outcome) {
  outcome.status = WIFEXITED(wait) ? WEXITSTATUS(wait) : 1;
  if (WIFSIGNALED(wait))
    messages.fail("failed",
                  ModelFault().file(job.input).says(
                      "the run was ended by a signal (" +
                      llvm::Twine(::strsignal(WTERMSIG(wait))) + ")"),
                  job.input);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static std::string resultOf(const BatchOutcome &outcome,
                            const Options &options) {
  if (outcome.status == 3)
    return "differs, not written";
  if (outcome.status == 4)
    return "not verified, not written";
  if (outcome.status != 0 && outcome.status != 2)
    return "failed";
  if (!outcome.isChanged)
    return "unchanged";
  return options.check ? "would change" : "changed";
}

static void printText(llvm::ArrayRef<BatchJob> jobs,
                      llvm::ArrayRef<BatchOutcome> outcomes,
                      const Options &options) {
  llvm::raw_ostream &out = llvm::errs();
  size_t width = 9;
  for (const BatchJob &job : jobs)
    width = std::max(width, printableText(job.input).size());
  auto row = [&](StringRef name, StringRef ops, StringRef bytes,
                 StringRef seconds, StringRef result) {
    out << llvm::left_justify(name, width) << llvm::right_justify(ops, 20)
        << llvm::right_justify(bytes, 28) << llvm::right_justify(seconds, 10)
        << "  " << result << "\n";
  };
  row("model", "operators", "bytes", "seconds", "result");
  out << std::string(width + 82, '-') << "\n";
  size_t numFailed = 0, numChanged = 0;
  for (auto [job, outcome] : llvm::zip_equal(jobs, outcomes)) {
    bool isDone = outcome.hasReport && outcome.status != 1;
    numFailed += outcome.status != 0 && outcome.status != 2;
    numChanged += isDone && outcome.isChanged;
    auto both = [&](auto before, auto after) {
      return isDone ? llvm::formatv("{0} -> {1}", before, after).str() : "";
    };
    row(printableText(job.input),
        both(outcome.operatorsBefore, outcome.operatorsAfter),
        both(outcome.bytesBefore, outcome.bytesAfter),
        isDone ? llvm::formatv("{0:f2}", outcome.seconds).str() : "",
        resultOf(outcome, options));
  }
  out << llvm::formatv("{0} model{1}: {2} {3}, {4} unchanged, {5} failed\n",
                       jobs.size(), jobs.size() == 1 ? "" : "s", numChanged,
                       options.check ? "would change" : "changed",
                       jobs.size() - numChanged - numFailed, numFailed);
}

void onnxfold::printTable(llvm::ArrayRef<BatchJob> jobs,
                          llvm::ArrayRef<BatchOutcome> outcomes,
                          const Options &options, const Messages &messages) {
  if (!messages.isJson) {
    if (!options.quiet)
      printText(jobs, outcomes, options);
    return;
  }
  llvm::json::Array rows;
  for (auto [job, outcome] : llvm::zip_equal(jobs, outcomes)) {
    Object row{{"model", llvm::json::fixUTF8(job.input)},
               {"status", outcome.status},
               {"changed", outcome.isChanged}};
    if (!options.check)
      row["output"] = llvm::json::fixUTF8(job.output);
    if (outcome.hasReport) {
      row["bytes"] = llvm::json::Array{int64_t(outcome.bytesBefore),
                                       int64_t(outcome.bytesAfter)};
      row["operators"] =
          llvm::json::Array{outcome.operatorsBefore, outcome.operatorsAfter};
      row["seconds"] = outcome.seconds;
    }
    rows.push_back(std::move(row));
  }
  messages.table(std::move(rows));
}
