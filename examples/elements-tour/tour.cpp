//===- tour.cpp - What the elements library does, step by step ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Run it beside the sources: each line of the output is one idea.
//
//===----------------------------------------------------------------------===//

#include "Tour.h"
#include "llvm/Support/Format.h"

using namespace onnxfold;

void show(llvm::StringRef name, const Elements &value) {
  llvm::outs() << name << ":";
  for (int64_t i = 0; i < value.size(); ++i) {
    WideNum number = value.number(i);
    if (number.kind == WideKind::Double)
      llvm::outs() << llvm::format(" %.9g", number.asDouble);
    else
      llvm::outs() << " " << number.to<int64_t>();
  }
  llvm::outs() << "\n";
}

int main() {
  showViews();
  showLaziness();
  showFunctionsOfYourOwn();
  showChecks();
  showReading();
  showBuffers();
  showPrecision();
  showThreads();
  showMemory();
  showHashes();
  showAttributes();
  showCollection();
  showSafePoints();
  showMerging();
  showText();
  showBytecode();
}
