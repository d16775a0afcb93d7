//===- KernelRegistry.cpp - Who folds which operator ----------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;

Kernel &KernelRegistry::add(llvm::StringRef op,
                            std::initializer_list<int> versions,
                            FoldFunction function) {
  auto entry = std::make_unique<Entry>();
  entry->kernel.function = function;
  entry->versions = versions;
  auto &list = kernels[dialect + "." + op.str()];
  list.push_back(std::move(entry));
  return list.back()->kernel;
}

const Kernel *KernelRegistry::lookup(llvm::StringRef operation, int version,
                                     Reason &reason) const {
  auto it = kernels.find(operation);
  if (it == kernels.end()) {
    reason = notFolded(ReasonCode::NoKernel, "no kernel for " + operation);
    return nullptr;
  }
  for (const auto &entry : it->second)
    if (llvm::is_contained(entry->versions, version))
      return &entry->kernel;
  reason = notFolded(ReasonCode::UnknownVersion, "no kernel for version " +
                                                     llvm::Twine(version) +
                                                     " of " + operation);
  return nullptr;
}

std::vector<std::pair<std::string, int>> KernelRegistry::entries() const {
  std::vector<std::pair<std::string, int>> result;
  for (const auto &list : kernels)
    for (const auto &entry : list.second)
      for (int version : entry->versions)
        result.emplace_back(list.first().str(), version);
  llvm::sort(result);
  return result;
}
