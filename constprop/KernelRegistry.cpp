//===- KernelRegistry.cpp - Kernels by operator and version ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/KernelRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;

Kernel &KernelRegistry::add(llvm::StringRef op,
                            std::initializer_list<int> versions,
                            FoldFunction function) {
  auto entry = std::make_unique<Entry>();
  entry->kernel.function = function;
  entry->kernel.operation = dialect + "." + op.str();
  entry->versions = versions;
  auto &list = kernels[entry->kernel.operation];
  list.push_back(std::move(entry));
  return list.back()->kernel;
}

void KernelRegistry::addLazily(llvm::StringRef op,
                               void (*addKernels)(KernelRegistry &)) {
  auto &slot = lazy[dialect + "." + op.str()];
  slot = std::make_unique<Lazy>();
  slot->addKernels = addKernels;
}

const KernelRegistry::Entries *
KernelRegistry::find(llvm::StringRef operation) const {
  if (auto it = kernels.find(operation); it != kernels.end())
    return &it->second;
  auto it = lazy.find(operation);
  if (it == lazy.end())
    return nullptr;
  Lazy &slot = *it->second;
  std::call_once(slot.once, [&] {
    KernelRegistry one(dialect);
    slot.addKernels(one);
    slot.entries = std::move(one.kernels[operation]);
    assert(one.kernels.size() == 1 && !slot.entries.empty());
  });
  return &slot.entries;
}

ReasonOr<const Kernel *> KernelRegistry::lookup(llvm::StringRef operation,
                                                int version) const {
  const Entries *entries = find(operation);
  if (!entries)
    return notFolded(ReasonCode::NoKernel, "no kernel for " + operation);
  for (const auto &entry : *entries)
    if (llvm::is_contained(entry->versions, version))
      return &std::as_const(entry->kernel);
  return notFolded(ReasonCode::UnknownVersion, "no kernel for version " +
                                                   llvm::Twine(version) +
                                                   " of " + operation);
}

std::vector<std::pair<std::string, int>> KernelRegistry::entries() const {
  std::vector<std::pair<std::string, int>> result;
  auto add = [&](llvm::StringRef operation) {
    for (const auto &entry : *find(operation))
      for (int version : entry->versions)
        result.emplace_back(operation.str(), version);
  };
  for (const auto &list : kernels)
    add(list.first());
  for (const auto &list : lazy)
    add(list.first());
  llvm::sort(result);
  return result;
}
