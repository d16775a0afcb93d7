//===- Tour.h - The parts of the tour -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#ifndef TOUR_H
#define TOUR_H

#include "onnxfold/elements/Elements.h"
#include "llvm/Support/raw_ostream.h"
#include <concepts>

/// Prints "name: 1 2 3".
void show(llvm::StringRef name, const onnxfold::Elements &value);

inline void show(llvm::StringRef name, llvm::StringRef text) {
  llvm::outs() << name << ": " << text << "\n";
}

/// A number, or "yes" and "no".
void show(llvm::StringRef name, std::integral auto value) {
  if constexpr (std::is_same_v<decltype(value), bool>)
    show(name, llvm::StringRef(value ? "yes" : "no"));
  else
    show(name, llvm::StringRef(std::to_string(value)));
}

// Values.cpp
void showViews();
void showLaziness();
void showFunctionsOfYourOwn();
void showChecks();
void showReading();
void showBuffers();
void showPrecision();
void showThreads();
void showMemory();
void showHashes();

// Attributes.cpp
void showAttributes();
void showCollection();
void showSafePoints();
void showMerging();
void showText();
void showBytecode();

#endif // TOUR_H
