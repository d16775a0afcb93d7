//===- RunRecord.cpp - What ran, when and how -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/internal/RunRecord.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
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
