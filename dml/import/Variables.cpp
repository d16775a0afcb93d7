//===- Variables.cpp - The variables of a script or function --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/Variables.h"

using namespace onnxfold::dml;
using llvm::StringRef;

const DmlValue *Variables::find(StringRef name) const {
  auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

const DmlValue &Variables::declare(StringRef name, const llvm::Twine &why) {
  if (!values.contains(name))
    values[name] = unassigned(why);
  return values[name];
}

void Variables::forget(const Body &body) {
  Names names;
  addAssigned(body, names);
  for (const std::string &name : names)
    values[name] = {};
}

Variables::Saved Variables::save(const Names &names) const {
  Saved saved;
  for (const std::string &name : names) {
    const DmlValue *value = find(name);
    saved.emplace_back(name, value ? std::optional(*value) : std::nullopt);
  }
  return saved;
}

void Variables::restore(const Saved &saved) {
  for (const auto &[name, value] : saved)
    if (value)
      values[name] = *value;
    else
      values.erase(name);
}
