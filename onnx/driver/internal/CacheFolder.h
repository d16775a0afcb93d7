//===- CacheFolder.h - A folder of results of earlier runs ------*- C++ -*-===//
//
// The cache of --cache: a file for each value (CacheEntry.h), named by its key.
// Any number of runs may use one folder at the same time. When the files take
// more than the limit, those that were used longest ago are erased.
//
// No error of the folder ends a run, once it is open: values are computed, and
// problem() says what it was.
//
// Thread safety: all members may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_INTERNAL_CACHEFOLDER_H
#define ONNXFOLD_ONNX_DRIVER_INTERNAL_CACHEFOLDER_H

#include "onnxfold/constprop/ResultCache.h"
#include "onnxfold/onnx/driver/FoldReport.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace onnxfold {

class CacheFolder final : public ResultCache {
public:
  /// Makes the folder if it is not there. After `isCancelled` says so nothing is
  /// computed any more; may be empty.
  static llvm::Expected<std::unique_ptr<CacheFolder>>
  open(const std::string &folder, uint64_t mostBytes,
       std::function<bool()> isCancelled);

  ~CacheFolder() override;

  Key salt() const override { return build; }
  Elements find(const Key &key, DataType type, ShapeRef shape) override;
  Elements keep(const Key &key, const Elements &value) override;

  FoldReport::CacheCounts counts() const;
  /// Why values could not be kept; "" if none was lost.
  std::string problem() const;

private:
  CacheFolder(std::string folder, uint64_t mostBytes,
              std::function<bool()> isCancelled);
  std::string fileOf(const Key &key) const;
  std::string temporary();
  bool makeRoom(uint64_t bytes);
  void eraseOldest(uint64_t most);

  const std::string folder;
  const uint64_t mostBytes;
  const std::function<bool()> isCancelled;
  const Key build;
  const std::string run; ///< the first part of names of temporaries
  std::atomic<uint64_t> nextTemporary{0};

  mutable std::mutex mutex; ///< guards what follows
  FoldReport::CacheCounts counted;
  std::set<Key> seen; ///< keys that were counted: a value is looked for again
  uint64_t bytes =
      0; ///< of all files, when they were last looked at, and since
  std::string failure;
};

/// What tells this program from others, which may compute other values: the
/// builds of all that takes part in it.
ResultCache::Key programBuild();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_INTERNAL_CACHEFOLDER_H
