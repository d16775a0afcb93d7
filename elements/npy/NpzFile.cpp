//===- NpzFile.cpp - Archives of tensors that numpy saves -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/elements/npy/internal/NpyBytes.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using llvm::StringRef;

static constexpr StringRef ending = ".npy";

llvm::Expected<NpzFile> NpzFile::open(StringRef path) {
  llvm::Expected<ZipFile> zip = ZipFile::open(path);
  if (!zip)
    return zip.takeError();
  for (StringRef name : zip->names())
    if (!name.ends_with(ending))
      return makeNpyError(
          path + ": entry '" + printableOfFile(name) +
          "' is not an array, expected a name that ends in .npy");
  return NpzFile(std::move(*zip), path);
}

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> names = zip.names();
  for (std::string &name : names)
    name.resize(name.size() - ending.size());
  llvm::sort(names);
  return names;
}

llvm::Expected<Elements> NpzFile::read(StringRef name,
                                       DataType expected) const {
  std::string shown = path + ": array '" + printableOfFile(name) + "'";
  auto content = zip.read((name + ending).str(), shown);
  if (!content)
    return content.takeError();
  return parseNpy((*content)->getBuffer(), shown, expected);
}
