//===- ScriptFiles.h - Scripts and what they source -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads each file once. A file is searched for in the working directory, as
// SystemDS does; then beside the script that names it and in the folders above;
// then in --scripts, the folder or the jar of SystemDS's own scripts
// ("nn/util.dml" or "scripts/nn/util.dml"). Messages call a file of the jar
// "SystemDS.jar:scripts/nn/util.dml".
//
// Thread safety: none. Errors: files that cannot be read, and text that is not
// DML.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_SCRIPTFILES_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_SCRIPTFILES_H

#include "onnxfold/dml/import/internal/Module.h"
#include "onnxfold/elements/npy/ZipFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>

namespace onnxfold::dml {

class ScriptFiles {
public:
  ScriptFiles(llvm::StringRef script, llvm::StringRef scripts)
      : script(script), scripts(scripts) {}

  /// Opens --scripts if it is a jar. Call it first.
  llvm::Error open();
  /// The script that the constructor was given, from the working directory or
  /// from SystemDS's own scripts.
  llvm::Expected<const Module *> loadMain();
  /// A script from a text. It may not source files.
  llvm::Expected<const Module *> loadText(llvm::StringRef text);
  /// The script of a builtin function that is written in DML: ours
  /// (dml/builtins), or builtin/<name>.dml. Null if there is none.
  llvm::Expected<const Module *> builtin(llvm::StringRef name);

private:
  std::string find(llvm::StringRef file, llvm::StringRef from) const;
  std::string findInScripts(llvm::StringRef file) const;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  contentOf(llvm::StringRef path) const;
  llvm::Expected<const Module *> load(const std::string &path);
  llvm::Expected<const Module *> loadSourced(llvm::StringRef file,
                                             llvm::StringRef from);
  llvm::Expected<const Module *> parse(Module &module, llvm::StringRef text);

  llvm::StringRef script, scripts;
  std::optional<ZipFile> jar;
  bool mayRead = true;
  unsigned sourcing = 0; ///< the depth of the current source()
  llvm::StringMap<std::unique_ptr<Module>> modules; ///< by path
  llvm::StringMap<const Module *> builtins;         ///< by name
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_SCRIPTFILES_H
