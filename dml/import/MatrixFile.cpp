//===- MatrixFile.cpp - Matrices that SystemDS has written ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/MatrixFile.h"
#include "onnxfold/elements/npy/WholeFile.h"
#include "onnxfold/onnx/folding/JsonText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cmath>
#include <tuple>

using namespace onnxfold::dml;
using llvm::StringRef;

/// More than a model can hold, as numbers of four bytes.
constexpr int64_t mostMatrixValues = int64_t(1) << 29;
constexpr int64_t blockRows = 1000;

//===----------------------------------------------------------------------===//
// Sequence files
//===----------------------------------------------------------------------===//

namespace {

/// Numbers, the high byte first. Behind the end they are 0, and it is damaged.
struct ByteReader {
  StringRef bytes;
  bool isDamaged = false;

  template <typename T> T take() {
    if (bytes.size() < sizeof(T)) {
      isDamaged = true;
      bytes = "";
      return 0;
    }
    T value =
        llvm::support::endian::read<T, llvm::endianness::big>(bytes.data());
    bytes = bytes.drop_front(sizeof(T));
    return value;
  }
  double takeDouble() { return llvm::bit_cast<double>(take<uint64_t>()); }
  void skip(size_t count) {
    isDamaged |= count > bytes.size();
    bytes = bytes.drop_front(std::min(count, bytes.size()));
  }
};

} // namespace

/// One block: rows, columns, kind, and values as the kind has them.
static void readBlock(ByteReader &in, MatrixOfFile &matrix, int64_t top,
                      int64_t left) {
  int64_t rows = in.take<int32_t>(), columns = in.take<int32_t>();
  int kind = in.take<uint8_t>();
  if (rows < 0 || columns < 0 || top < 0 || left < 0 ||
      top + rows > matrix.rows || left + columns > matrix.columns) {
    in.isDamaged = true;
    return;
  }
  auto set = [&](int64_t row, int64_t column) {
    double value = in.takeDouble();
    if (row < 0 || row >= rows || column < 0 || column >= columns)
      in.isDamaged = true;
    else
      matrix.values[(top + row) * matrix.columns + left + column] = value;
  };
  if (kind == 3) {
    for (int64_t i = 0; i < rows * columns && !in.isDamaged; ++i)
      set(i / columns, i % columns);
  } else if (kind == 2) {
    in.take<int32_t>();
    for (int64_t row = 0; row < rows && !in.isDamaged; ++row)
      for (int32_t n = in.take<int32_t>(); n > 0 && !in.isDamaged; --n) {
        int32_t column = in.take<int32_t>();
        set(row, column);
      }
  } else if (kind == 1) {
    for (int32_t n = in.take<int32_t>(); n > 0 && !in.isDamaged; --n) {
      int32_t row = in.take<int32_t>();
      int32_t column = columns == 1 ? 0 : in.take<int32_t>();
      set(row, column);
    }
  } else if (kind != 0) {
    in.isDamaged = true;
  }
}

/// False if it is damaged. The header: SEQ and a version, two names of classes
/// with their lengths twice, flags, no metadata, and 16 bytes that come again
/// between records.
static bool readSequenceFile(StringRef bytes, MatrixOfFile &matrix) {
  ByteReader in{bytes};
  if (!bytes.starts_with("SEQ"))
    return false;
  in.skip(4);
  for (int i = 0; i < 2; ++i)
    in.skip(in.take<uint8_t>());
  bool isPacked = in.take<uint16_t>() != 0;
  isPacked |= in.take<int32_t>() != 0;
  in.skip(16);
  if (isPacked)
    return false;
  while (!in.bytes.empty() && !in.isDamaged) {
    int32_t length = in.take<int32_t>();
    if (length == -1) {
      in.skip(16);
      continue;
    }
    if (length < 16 || size_t(length) + 4 > in.bytes.size())
      return false;
    ByteReader record{in.bytes.take_front(length + 4)};
    in.skip(length + 4);
    record.skip(4); // the length of the key
    int64_t row = record.take<int64_t>(), column = record.take<int64_t>();
    if (row < 1 || column < 1 || row > mostMatrixValues ||
        column > mostMatrixValues)
      return false;
    readBlock(record, matrix, (row - 1) * blockRows, (column - 1) * blockRows);
    if (record.isDamaged)
      return false;
  }
  return !in.isDamaged;
}

//===----------------------------------------------------------------------===//
// Csv
//===----------------------------------------------------------------------===//

/// Letters of what is no number.
constexpr size_t mostShown = 40;

static bool readNumber(StringRef text, double &value) {
  text = text.trim();
  if (text.empty())
    value = 0; // as SystemDS has it
  else if (text == "NaN")
    value = std::nan("");
  else if (text == "Infinity" || text == "-Infinity")
    value = text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
  else
    return !text.getAsDouble(value);
  return true;
}

/// Adds rows; all have as many numbers as the first. What is wrong, or "".
static std::string readCsv(StringRef text, MatrixOfFile &matrix) {
  for (int64_t number = 1; !text.empty(); ++number) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    if (line.trim().empty())
      continue;
    std::string place = "line " + std::to_string(number);
    int64_t count = 0;
    llvm::SmallVector<StringRef> cells;
    line.split(cells, ',');
    for (StringRef cell : cells) {
      double value;
      if (!readNumber(cell, value))
        return place + ": '" + cell.trim().take_front(mostShown).str() +
               "' is not a number";
      matrix.values.push_back(value);
      ++count;
    }
    if (matrix.columns >= 0 && count != matrix.columns)
      return place + " has " + std::to_string(count) + " values, expected " +
             std::to_string(matrix.columns);
    matrix.columns = count;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The file, or the parts of a folder in the order of their names.
static std::vector<std::string> partsOf(StringRef path) {
  std::vector<std::string> parts;
  if (!llvm::sys::fs::is_directory(path))
    return {path.str()};
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(path, error), end;
       !error && at != end; at.increment(error))
    if (char first = llvm::sys::path::filename(at->path()).front();
        first != '.' && first != '_')
      parts.push_back(at->path());
  llvm::sort(parts);
  return parts;
}

/// What the file beside says, where nobody else does.
static void readMatrixMetadata(StringRef path, MatrixOfFile &matrix) {
  std::string beside = (path + ".mtd").str();
  if (!llvm::sys::fs::exists(beside))
    return;
  auto file = onnxfold::readWholeFile(beside);
  if (!file)
    return llvm::consumeError(file.takeError());
  llvm::Expected<llvm::json::Value> read =
      onnxfold::parseJson((*file)->getBuffer());
  if (!read)
    return llvm::consumeError(read.takeError());
  const llvm::json::Object *about = read->getAsObject();
  if (!about)
    return;
  if (matrix.rows < 0)
    matrix.rows = about->getInteger("rows").value_or(-1);
  if (matrix.columns < 0)
    matrix.columns = about->getInteger("cols").value_or(-1);
}

llvm::Expected<MatrixOfFile>
onnxfold::dml::readMatrix(StringRef path, int64_t rows, int64_t columns) {
  MatrixOfFile matrix;
  matrix.rows = rows;
  matrix.columns = columns;
  readMatrixMetadata(path, matrix);
  auto failed = [&](const llvm::Twine &why) {
    return llvm::createStringError(path + ": " + why);
  };
  bool isFirst = true, isBinary = false;
  for (const std::string &part : partsOf(path)) {
    auto file = onnxfold::readWholeFile(part);
    if (!file)
      return file.takeError();
    StringRef bytes = (*file)->getBuffer();
    if (isFirst && bytes.starts_with("SEQ")) {
      isBinary = true;
      if (matrix.rows < 0 || matrix.columns < 0)
        return failed("the number of rows and columns is not known");
      if (matrix.rows > 0 && matrix.columns > mostMatrixValues / matrix.rows)
        return failed("more values than a model can hold");
      matrix.values.resize(matrix.rows * matrix.columns);
    }
    isFirst = false;
    if (isBinary && !readSequenceFile(bytes, matrix))
      return failed("no matrix of blocks of that size");
    if (std::string why = isBinary ? "" : readCsv(bytes, matrix); !why.empty())
      return failed(why);
  }
  int64_t count = matrix.values.size();
  if (matrix.rows < 0)
    matrix.rows = matrix.columns > 0 ? count / matrix.columns : 0;
  matrix.columns = std::max<int64_t>(matrix.columns, 0);
  bool fits = matrix.columns == 0 ? count == 0
                                  : count % matrix.columns == 0 &&
                                        count / matrix.columns == matrix.rows;
  if (!fits)
    return failed(llvm::Twine(count) + " values, expected " +
                  llvm::Twine(matrix.rows) + " x " +
                  llvm::Twine(matrix.columns));
  return matrix;
}
