//===- ScriptFiles.h - Scripts and what they source -------------*- C++ -*-===//
//
// Reads each file once. A file is looked for where SystemDS looks, the working
// directory; then beside the script that names it and in the folders above; then
// in --scripts, where SystemDS has its own ("nn/util.dml" or
// "scripts/nn/util.dml").
//
// Thread safety: none. Errors: files that cannot be read, and text that is no
// DML.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_SCRIPTFILES_H
#define ONNXFOLD_DML_INTERNAL_SCRIPTFILES_H

#include "onnxfold/dml/internal/Translation.h"
#include <memory>

namespace onnxfold::dml {

class ScriptFiles {
public:
  ScriptFiles(llvm::StringRef script, llvm::StringRef scripts)
      : script(script), scripts(scripts) {}

  llvm::Expected<const Module *> load(const std::string &path);
  /// A text that is no file, which may source none.
  llvm::Expected<const Module *> loadText(llvm::StringRef text);
  /// Of a builtin function that is written in DML: ours (dml/builtins), or
  /// builtin/<name>.dml. Null if there is none.
  llvm::Expected<const Module *> builtin(llvm::StringRef name);

private:
  std::string find(llvm::StringRef file, llvm::StringRef from) const;
  llvm::Expected<const Module *> parse(Module &module, llvm::StringRef text);

  llvm::StringRef script, scripts;
  bool mayRead = true;
  llvm::StringMap<std::unique_ptr<Module>> modules; ///< by path
  llvm::StringMap<const Module *> builtins;         ///< by name
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_SCRIPTFILES_H
