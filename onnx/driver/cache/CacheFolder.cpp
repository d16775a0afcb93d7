//===- CacheFolder.cpp - A folder of results of earlier runs --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/cache/internal/CacheFolder.h"
#include "onnxfold/onnx/driver/cache/internal/BuildNumber.h"
#include "onnxfold/onnx/driver/cache/internal/CacheEntry.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <random>
#include <tuple>

using namespace onnxfold;
using llvm::StringRef;
using Key = ResultCache::Key;

//===----------------------------------------------------------------------===//
// The files
//===----------------------------------------------------------------------===//

static constexpr StringRef suffix = ".folded", temporarySuffix = ".tmp";

/// 32 hexadecimal digits and the suffix: all that is ever erased.
static bool isValueFile(StringRef name) {
  return name.consume_back(suffix) && name.size() == 32 &&
         llvm::all_of(name, llvm::isHexDigit);
}

/// "<run>-<number>.tmp"
static bool isTemporaryFile(StringRef name) {
  auto [run, number] = name.split('-');
  return number.consume_back(temporarySuffix) && !run.empty() &&
         !number.empty() && llvm::all_of(run, llvm::isHexDigit) &&
         llvm::all_of(number, llvm::isDigit);
}

/// The same process number may be in use in two containers.
static std::string nameOfRun() {
  std::random_device random;
  return llvm::utohexstr(uint64_t(random()) << 32 | random(),
                         /*LowerCase=*/true, /*Width=*/16);
}

std::string CacheFolder::fileOf(const Key &key) const {
  return folder + "/" +
         llvm::utohexstr(key.high, /*LowerCase=*/true, /*Width=*/16) +
         llvm::utohexstr(key.low, /*LowerCase=*/true, /*Width=*/16) +
         suffix.str();
}

std::string CacheFolder::temporary() {
  return folder + "/" + run + "-" + std::to_string(nextTemporary++) +
         temporarySuffix.str();
}

namespace {

struct FoundFile {
  std::string path;
  uint64_t bytes;
  llvm::sys::TimePoint<> used;
};

} // namespace

/// The values that are there; what killed runs left is erased.
static std::vector<FoundFile> listFiles(const std::string &folder) {
  constexpr std::chrono::hours longest(24);
  std::vector<FoundFile> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(folder, error), end;
       at != end && !error; at.increment(error)) {
    StringRef name = llvm::sys::path::filename(at->path());
    bool isTemporary = isTemporaryFile(name);
    llvm::sys::fs::file_status status;
    if ((!isTemporary && !isValueFile(name)) ||
        llvm::sys::fs::status(at->path(), status, /*follow=*/false) ||
        status.type() != llvm::sys::fs::file_type::regular_file)
      continue;
    auto used = status.getLastModificationTime();
    if (!isTemporary)
      files.push_back({at->path(), status.getSize(), used});
    else if (std::chrono::system_clock::now() - used > longest)
      systemCalls().unlink(at->path().c_str());
  }
  return files;
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

CacheFolder::CacheFolder(std::string folder, uint64_t mostBytes,
                         std::function<bool()> isCancelled)
    : folder(std::move(folder)), mostBytes(mostBytes),
      isCancelled(std::move(isCancelled)), build(buildNumber()),
      run(nameOfRun()) {
  for (const FoundFile &file : listFiles(this->folder))
    bytes += file.bytes;
}

CacheFolder::~CacheFolder() {
  std::lock_guard<std::mutex> lock(mutex);
  if (counted.kept != 0) // other runs may have kept values, too
    eraseOldest(mostBytes);
}

llvm::Expected<std::unique_ptr<CacheFolder>>
CacheFolder::open(const std::string &folder, uint64_t mostBytes,
                  std::function<bool()> isCancelled) {
  std::error_code error = llvm::sys::fs::create_directories(
      folder, /*IgnoreExisting=*/true, llvm::sys::fs::owner_all);
  if (!error && !llvm::sys::fs::is_directory(folder))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    return ModelFault()
        .option(setting("cache"))
        .is("'" + printableText(folder) + "'")
        .says(", which cannot be made: " + StringRef(error.message()).lower());
  return std::unique_ptr<CacheFolder>(
      new CacheFolder(folder, mostBytes, std::move(isCancelled)));
}

bool CacheFolder::has(const Key &key, DataType type, ShapeRef shape) {
  CacheEntryState state =
      findCacheEntry(fileOf(key), {build, key, type, Shape(shape)});
  bool isWhole = state == CacheEntryState::Whole;
  if (state == CacheEntryState::Damaged)
    drop(key);
  std::lock_guard<std::mutex> lock(mutex);
  if (!seen.insert(key).second)
    return isWhole;
  if (isWhole) {
    ++counted.found;
    counted.bytesFound += numElements(shape) * byteWidth(type);
  } else {
    ++counted.computed;
  }
  return isWhole;
}

/// The file of a value, which is read in ranges: a few stay open. Null if there
/// is none, or if it is damaged.
std::shared_ptr<OpenCacheEntry>
CacheFolder::opened(const Key &key, DataType type, ShapeRef shape) {
  constexpr size_t most = 16;
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto &[known, entry] : llvm::reverse(recent))
      if (known == key)
        return entry;
  }
  CacheEntryState state;
  std::shared_ptr<OpenCacheEntry> entry = OpenCacheEntry::open(
      fileOf(key), {build, key, type, Shape(shape)}, state);
  if (!entry) {
    noteLost(key, numElements(shape) * byteWidth(type));
    if (state == CacheEntryState::Damaged)
      drop(key);
    return nullptr;
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (recent.size() == most)
    recent.erase(recent.begin());
  recent.emplace_back(key, entry);
  return entry;
}

bool CacheFolder::read(const Key &key, DataType type, ShapeRef shape,
                       uint64_t offset, uint64_t size, char *out) {
  std::shared_ptr<OpenCacheEntry> entry = opened(key, type, shape);
  if (!entry)
    return false;
  if (entry->read(offset, size, out))
    return true;
  noteLost(key, numElements(shape) * byteWidth(type));
  if (entry->setDamaged())
    drop(key);
  return false;
}

/// A value that had been found, unless this run had made it.
void CacheFolder::noteLost(const Key &key, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (kept.count(key) || !lost.insert(key).second)
    return;
  --counted.found;
  counted.bytesFound -= bytes;
  ++counted.computed;
}

/// Its file is damaged.
void CacheFolder::drop(const Key &key) {
  systemCalls().unlink(fileOf(key).c_str());
  std::lock_guard<std::mutex> lock(mutex);
  ++counted.damaged;
  kept.erase(key);
  llvm::erase_if(recent, [&](const auto &one) { return one.first == key; });
}

bool CacheFolder::keep(const Key &key, const Elements &value) {
  std::optional<uint64_t> size = bytesOfCacheEntry(value);
  if (!size || (isCancelled && isCancelled()) || !makeRoom(*size))
    return false;
  {
    // A value that was erased because of the limit would erase another.
    std::lock_guard<std::mutex> lock(mutex);
    if (kept.count(key))
      return false;
  }
  CacheEntry entry = {build, key, value.type(), Shape(value.shape())};
  llvm::Error error = writeCacheEntry(fileOf(key), temporary(), entry, value);
  std::lock_guard<std::mutex> lock(mutex);
  if (error) {
    failure = llvm::toString(std::move(error));
    return false;
  }
  bytes += *size;
  kept.insert(key);
  ++counted.kept;
  counted.bytesKept += value.bytes();
  return true;
}

/// False: a value of that many bytes cannot be kept.
bool CacheFolder::makeRoom(uint64_t size) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!failure.empty() || size > mostBytes)
    return false;
  // A tenth more, so that not every value erases one.
  if (bytes + size > mostBytes)
    eraseOldest(mostBytes - std::max(size, mostBytes / 10));
  return true;
}

/// Until the files have `most` bytes. REQUIRES: the mutex is held.
void CacheFolder::eraseOldest(uint64_t most) {
  std::vector<FoundFile> files = listFiles(folder);
  llvm::sort(files, [](const FoundFile &a, const FoundFile &b) {
    return std::tie(a.used, a.path) < std::tie(b.used, b.path);
  });
  bytes = 0;
  for (const FoundFile &file : files)
    bytes += file.bytes;
  for (const FoundFile &file : files) {
    if (bytes <= most)
      return;
    // Another run may have erased it.
    systemCalls().unlink(file.path.c_str());
    bytes -= file.bytes;
    ++counted.erased;
  }
}

FoldReport::CacheCounts CacheFolder::counts() const {
  std::lock_guard<std::mutex> lock(mutex);
  return counted;
}

std::string CacheFolder::problem() const {
  std::lock_guard<std::mutex> lock(mutex);
  return failure;
}

//===----------------------------------------------------------------------===//
// Steps of a run
//===----------------------------------------------------------------------===//

llvm::Expected<StepResult>
onnxfold::openCache(const FoldOptions &options, bool writesNothing,
                    std::unique_ptr<CacheFolder> &cache, RunScope &run) {
  if (options.cacheFolder.empty() || writesNothing)
    return StepResult::Unchanged;
  if (llvm::Error error =
          CacheFolder::open(options.cacheFolder, options.cacheBytes, [&run] {
            return run.isCancelled();
          }).moveInto(cache))
    return error;
  return StepResult::Unchanged;
}

llvm::Expected<StepResult> onnxfold::noteCache(const FoldOptions &options,
                                               const CacheFolder *cache,
                                               RunScope &run) {
  if (!cache)
    return StepResult::Unchanged;
  run.report().cache = {options.cacheFolder, cache->counts()};
  if (std::string problem = cache->problem(); !problem.empty())
    run.warn(problem + "; the cache keeps nothing of this run any more");
  return StepResult::Unchanged;
}
