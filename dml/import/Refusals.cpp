//===- Refusals.cpp - What of a script ONNX cannot express ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/Refusals.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold::dml;

std::string Refusals::placeText(Place place) const {
  return (file + ":" + llvm::Twine(place.line) + ":" +
          llvm::Twine(place.column) + ": ")
      .str();
}

DmlValue Refusals::refuse(Place place, const llvm::Twine &reason) {
  std::string text = (placeText(place) + reason).str();
  if (!llvm::is_contained(texts, text))
    texts.push_back(std::move(text));
  return {};
}

bool Refusals::isMissing(Place place, const DmlValue &value) {
  if (value.parameter.empty())
    return false;
  refuse(place, "'$" + value.parameter + "' has no value, expected " +
                    setting("bind", value.parameter + "=VALUE"));
  return true;
}

bool Refusals::isUnordered(Place place, const DmlValue &value) {
  if (value.isUnordered)
    refuse(place,
           "unique() has the order of a hash table, which order() of one "
           "column takes away");
  return value.isUnordered;
}

std::vector<std::string> Refusals::takeFrom(size_t start) {
  std::vector<std::string> taken(texts.begin() + start, texts.end());
  texts.resize(start);
  return taken;
}

void Refusals::addMissing(std::vector<std::string> others) {
  for (std::string &one : others)
    if (!llvm::is_contained(texts, one))
      texts.push_back(std::move(one));
}
