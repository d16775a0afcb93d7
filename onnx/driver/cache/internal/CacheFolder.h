//===- CacheFolder.h - A folder of results of earlier runs ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The cache of --cache has a file for each value (CacheEntry.h), named by its
// key. Any number of runs may use one folder at the same time. When the files
// take more than the limit, the least recently used ones are erased.
//
// Once the folder is open, no error in it ends a run: values are computed, and
// problem() names the error.
//
// Thread safety: all members may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_CACHE_INTERNAL_CACHEFOLDER_H
#define ONNXFOLD_ONNX_DRIVER_CACHE_INTERNAL_CACHEFOLDER_H

#include "onnxfold/constprop/ResultCache.h"
#include "onnxfold/onnx/driver/cache/internal/CacheEntry.h"
#include "onnxfold/onnx/driver/prepare/RunScope.h"
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace onnxfold {

class CacheFolder final : public ResultCache {
public:
  /// Makes the folder if it does not exist. Nothing is computed any more once
  /// `isCancelled`, which may be empty, has returned true.
  static llvm::Expected<std::unique_ptr<CacheFolder>>
  open(const std::string &folder, uint64_t mostBytes,
       std::function<bool()> isCancelled);

  ~CacheFolder() override;

  Key salt() const override { return build; }
  bool has(const Key &key, DataType type, ShapeRef shape) override;
  bool read(const Key &key, DataType type, ShapeRef shape, uint64_t offset,
            uint64_t size, char *out) override;
  bool keep(const Key &key, const Elements &value) override;

  FoldReport::CacheCounts counts() const;
  /// Why values could not be kept; "" if none was lost.
  std::string problem() const;

private:
  CacheFolder(std::string folder, uint64_t mostBytes,
              std::function<bool()> isCancelled);
  std::string fileOf(const Key &key) const;
  std::string temporary();
  std::shared_ptr<OpenCacheEntry> opened(const Key &key, DataType type,
                                         ShapeRef shape);
  void noteLost(const Key &key, uint64_t bytes);
  void drop(const Key &key);
  bool makeRoom(uint64_t bytes);
  void eraseOldest(uint64_t most);

  const std::string folder;
  const uint64_t mostBytes;
  const std::function<bool()> isCancelled;
  const Key build;
  const std::string run; ///< the first part of names of temporary files
  std::atomic<uint64_t> nextTemporary{0};

  mutable std::mutex mutex; ///< guards what follows
  FoldReport::CacheCounts counted;
  std::set<Key> seen; ///< keys that were counted: values are looked up again
  std::set<Key> kept; ///< keys of undamaged files that this run made
  std::set<Key> lost; ///< keys whose values proved damaged
  /// The files that were read last, the latest in the end.
  std::vector<std::pair<Key, std::shared_ptr<OpenCacheEntry>>> recent;
  uint64_t bytes = 0; ///< of all files at the last look, and written since
  std::string failure;
};

/// The first step of --cache. Where nothing is written no value is computed that
/// the cache could have, and `cache` stays null.
llvm::Expected<StepResult> openCache(const FoldOptions &options,
                                     bool writesNothing,
                                     std::unique_ptr<CacheFolder> &cache,
                                     RunScope &run);

/// The last one: tells the report what was found and kept. `cache` may be null.
llvm::Expected<StepResult> noteCache(const FoldOptions &options,
                                     const CacheFolder *cache, RunScope &run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_CACHE_INTERNAL_CACHEFOLDER_H
