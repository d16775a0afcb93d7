//===- SettingName.cpp - What messages call a setting ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/SettingName.h"
#include <atomic>

using namespace onnxfold;

static std::atomic<bool> areOptions = false;

static std::string spell(const llvm::Twine &text) {
  if (areOptions)
    return ("--" + text).str();
  return ("'" + text + "'").str();
}

std::string onnxfold::setting(llvm::StringRef name) { return spell(name); }

std::string onnxfold::setting(llvm::StringRef name, const llvm::Twine &value) {
  return spell(name + "=" + value);
}

void onnxfold::spellSettingsAsOptions() { areOptions = true; }
