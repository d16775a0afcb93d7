//===- ScriptFiles.cpp - Scripts and what they source ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/ScriptFiles.h"
#include "onnxfold/dml/syntax/Parser.h"
#include "onnxfold/elements/npy/WholeFile.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace onnxfold::dml;
using llvm::StringRef;
namespace path = llvm::sys::path;

namespace {

/// Functions that SystemDS has in Java, and that are few lines of DML.
struct OwnBuiltin {
  llvm::StringLiteral name, text;
};

} // namespace

static constexpr OwnBuiltin ownBuiltins[] = {
#define BUILTIN(NAME, TEXT) {#NAME, TEXT},
#include "onnxfold/dml/AllBuiltins.def"
#undef BUILTIN
};

/// "" if there is no such file.
static std::string fileIn(StringRef folder, StringRef file) {
  llvm::SmallString<128> whole(folder);
  path::append(whole, file);
  return llvm::sys::fs::exists(whole) ? whole.str().str() : "";
}

llvm::Error ScriptFiles::open() {
  if (!llvm::sys::fs::is_regular_file(scripts))
    return llvm::Error::success();
  llvm::Expected<ZipFile> opened = ZipFile::open(scripts);
  if (!opened)
    return opened.takeError();
  jar = std::move(*opened);
  return llvm::Error::success();
}

std::string ScriptFiles::findInScripts(StringRef file) const {
  file.consume_front("scripts/");
  if (!jar)
    return scripts.empty() ? "" : fileIn(scripts, file);
  std::string entry = ("scripts/" + file).str();
  return jar->has(entry) ? (scripts + ":" + entry).str() : "";
}

std::string ScriptFiles::find(StringRef file, StringRef from) const {
  if (path::is_absolute(file) || llvm::sys::fs::exists(file))
    return file.str();
  llvm::SmallString<128> whole(from);
  llvm::sys::fs::make_absolute(whole);
  for (StringRef folder = path::parent_path(whole); !folder.empty();
       folder = path::parent_path(folder))
    if (std::string found = fileIn(folder, file); !found.empty())
      return found;
  return findInScripts(file);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
ScriptFiles::contentOf(StringRef path) const {
  StringRef entry = path;
  if (jar && entry.consume_front((scripts + ":").str()))
    return jar->read(entry, path);
  bool isStream = path == script &&
                  (path == "-" || (llvm::sys::fs::exists(path) &&
                                   !llvm::sys::fs::is_regular_file(path)));
  if (!isStream)
    return readWholeFile(path);
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!file)
    return llvm::createStringError(path + ": " + file.getError().message());
  return std::move(*file);
}

/// A script that sources itself finds what was read of it.
llvm::Expected<const Module *> ScriptFiles::load(const std::string &path) {
  std::unique_ptr<Module> &slot = modules[path];
  if (slot)
    return slot.get();
  auto file = contentOf(path);
  if (!file)
    return file.takeError();
  Module &made = *(slot = std::make_unique<Module>());
  made.file = path;
  return parse(made, (*file)->getBuffer());
}

llvm::Expected<const Module *> ScriptFiles::loadMain() {
  std::string own = llvm::sys::fs::exists(script) ? "" : findInScripts(script);
  return load(own.empty() ? script.str() : own);
}

llvm::Expected<const Module *> ScriptFiles::loadText(StringRef text) {
  mayRead = false;
  std::unique_ptr<Module> &slot = modules[script];
  slot = std::make_unique<Module>();
  slot->file = script.str();
  return parse(*slot, text);
}

llvm::Expected<const Module *> ScriptFiles::loadSourced(StringRef file,
                                                        StringRef from) {
  constexpr unsigned mostSourced = 100;
  if (!mayRead)
    return llvm::createStringError("no file is read");
  if (sourcing == mostSourced)
    return llvm::createStringError("scripts source each other more than " +
                                   llvm::Twine(mostSourced) + " deep");
  ++sourcing;
  std::string found = find(file, from);
  llvm::Expected<const Module *> module =
      load(found.empty() ? file.str() : found);
  --sourcing;
  return module;
}

llvm::Expected<const Module *> ScriptFiles::parse(Module &module,
                                                  StringRef text) {
  llvm::Expected<Script> script = parseScript(text, module.file);
  if (!script)
    return script.takeError();
  module.script = std::move(*script);
  for (const Source &one : module.script.sources) {
    llvm::Expected<const Module *> sourced = loadSourced(one.file, module.file);
    if (!sourced)
      return llvm::createStringError(
          module.file + ":" + std::to_string(one.place.line) + ":" +
          std::to_string(one.place.column) +
          ": source(): " + llvm::toString(sourced.takeError()) +
          (mayRead && scripts.empty() && find(one.file, module.file).empty()
               ? "; SystemDS's own scripts are in its jar (" +
                     setting("scripts") + ")"
               : ""));
    module.sourced[one.name] = *sourced;
  }
  return &module;
}

llvm::Expected<const Module *> ScriptFiles::builtin(StringRef name) {
  if (auto found = builtins.find(name); found != builtins.end())
    return found->second;
  for (const OwnBuiltin &one : ownBuiltins)
    if (one.name == name) {
      auto &slot = modules[("builtin " + name).str()];
      slot = std::make_unique<Module>();
      slot->file = one.name.str();
      return builtins[name] = llvm::cantFail(parse(*slot, one.text));
    }
  std::string file = ("builtin/" + name + ".dml").str(), found;
  if (mayRead) // first, as a file beside the script may be another of that name
    found = findInScripts(file);
  if (mayRead && found.empty())
    found = find(file, script);
  if (found.empty())
    return builtins[name] = nullptr;
  llvm::Expected<const Module *> module = load(found);
  if (module)
    builtins[name] = *module;
  return module;
}
