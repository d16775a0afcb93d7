//===- SettingName.h - What messages call a setting -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Messages of the libraries say which setting would change what they report: a
// name of options/Options.td, which FoldOptions and the C interface have too. A
// user of a program writes it with dashes, and a caller of the libraries does
// not:
//
//   "the axis is not a constant; fix it with " + setting("bind")
//   // ... fix it with 'bind'    in a library
//   // ... fix it with --bind    in a program
//
// Thread safety: programs call spellSettingsAsOptions once, before anything
// else; setting may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_SETTINGNAME_H
#define ONNXFOLD_ONNX_IR_SETTINGNAME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace onnxfold {

/// "'bind'", and "--bind" in a program.
std::string setting(llvm::StringRef name);
/// "'bind=x'", and "--bind=x" in a program.
std::string setting(llvm::StringRef name, const llvm::Twine &value);

/// This process is a program whose options have the names of the settings.
void spellSettingsAsOptions();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_SETTINGNAME_H
