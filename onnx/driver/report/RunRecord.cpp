//===- RunRecord.cpp - What ran, when, how and in how much memory ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/internal/RunRecord.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <ctime>

using namespace onnxfold;

/// "2026-11-28T23:05:00Z".
static std::string dateOfRun() {
  int64_t seconds = std::time(nullptr);
  if (const char *given = std::getenv("SOURCE_DATE_EPOCH")) {
    int64_t number;
    if (llvm::to_integer(llvm::StringRef(given), number, 10))
      seconds = number;
  }
  std::time_t time = seconds;
  std::tm parts = {};
  char text[64];
  if (!::gmtime_r(&time, &parts) ||
      std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
    return "";
  return text;
}

void onnxfold::printRunRecord(llvm::json::OStream &json,
                              llvm::ArrayRef<std::string> arguments) {
  json.attributeObject("run", [&] {
    json.attribute("version", ONNXFOLD_VERSION);
    json.attribute("date", dateOfRun());
    json.attributeArray("arguments", [&] {
      for (const std::string &argument : arguments)
        json.value(llvm::json::fixUTF8(argument));
    });
  });
}

uint64_t onnxfold::peakBytes() {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  if (!status)
    return 0;
  llvm::StringRef text = (*status)->getBuffer();
  size_t at = text.find("VmHWM:");
  uint64_t kilobytes = 0;
  if (at == llvm::StringRef::npos ||
      text.substr(at + 6).ltrim().consumeInteger(10, kilobytes))
    return 0;
  return kilobytes * 1024;
}
