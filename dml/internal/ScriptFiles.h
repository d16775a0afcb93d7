//===- ScriptFiles.h - Scripts and what they source -------------*- C++ -*-===//
//
// Reads each file once. A file is looked for where SystemDS looks, the working
// directory; then beside the script that names it and in the folders above; then
// in --scripts, where SystemDS has its own ("nn/util.dml" or
// "scripts/nn/util.dml"): a folder, or its jar. A file of that is called
// "SystemDS.jar:scripts/nn/util.dml".
//
// Thread safety: none. Errors: files that cannot be read, and text that is no
// DML.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_SCRIPTFILES_H
#define ONNXFOLD_DML_INTERNAL_SCRIPTFILES_H

#include "onnxfold/dml/internal/Translation.h"
#include "onnxfold/elements/npy/ZipFile.h"
#include <memory>

namespace onnxfold::dml {

class ScriptFiles {
public:
  ScriptFiles(llvm::StringRef script, llvm::StringRef scripts)
      : script(script), scripts(scripts) {}

  /// Opens --scripts if it is a jar; before anything else.
  llvm::Error open();
  /// The script that the constructor was given: in the working directory, or one
  /// of SystemDS's own.
  llvm::Expected<const Module *> loadMain();
  /// A text that is no file, which may source none.
  llvm::Expected<const Module *> loadText(llvm::StringRef text);
  /// Of a builtin function that is written in DML: ours (dml/builtins), or
  /// builtin/<name>.dml. Null if there is none.
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
  unsigned sourcing = 0; ///< how many scripts source the one that is read
  llvm::StringMap<std::unique_ptr<Module>> modules; ///< by path
  llvm::StringMap<const Module *> builtins;         ///< by name
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_SCRIPTFILES_H
