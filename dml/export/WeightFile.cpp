//===- WeightFile.cpp - Matrices as SystemDS reads them -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "llvm/Support/Endian.h"
#include <charconv>
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// Writes bytes to a file in order, as Java writes numbers: big-endian.
class JavaStream {
public:
  explicit JavaStream(OutputFile &file) : file(file) {}

  void bytes(StringRef text) {
    buffer.insert(buffer.end(), text.begin(), text.end());
  }
  void byte(char value) { buffer.push_back(value); }
  void int32(int32_t value) { append(uint32_t(value)); }
  void int64(int64_t value) { append(uint64_t(value)); }
  void reals(llvm::ArrayRef<double> values) {
    size_t at = buffer.size();
    buffer.resize(at + values.size() * sizeof(double));
    for (size_t i = 0; i < values.size(); ++i)
      llvm::support::endian::write64be(&buffer[at + i * sizeof(double)],
                                       std::bit_cast<uint64_t>(values[i]));
  }

  llvm::Error flush() {
    llvm::Error error =
        file.write(position, StringRef(buffer.data(), buffer.size()));
    position += buffer.size();
    buffer.clear();
    return error;
  }
  size_t pending() const { return buffer.size(); }

private:
  template <class T> void append(T value) {
    size_t at = buffer.size();
    buffer.resize(at + sizeof(T));
    llvm::support::endian::write<T, llvm::endianness::big>(&buffer[at], value);
  }

  OutputFile &file;
  uint64_t position = 0;
  std::vector<char> buffer;
};

} // namespace

constexpr int64_t blockSize = 1000;
/// So many bytes are written at once.
constexpr size_t piece = 1 << 18;
/// Any 16 bytes that do not occur by chance; the same in every file.
constexpr StringRef syncMark("onnx-fold weight", 16);

static void writeHeader(JavaStream &out) {
  out.bytes(StringRef("SEQ\6", 4));
  for (StringRef name : {"org.apache.sysds.runtime.matrix.data.MatrixIndexes",
                         "org.apache.sysds.runtime.matrix.data.MatrixBlock"}) {
    out.byte(char(name.size()));
    out.bytes(name);
  }
  out.byte(0); // not compressed
  out.byte(0);
  out.int32(0); // no metadata
  out.bytes(syncMark);
}

static llvm::Error writeBlock(JavaStream &out, const Elements::Reader &reader,
                              int64_t columns, int64_t row, int64_t column,
                              int64_t height, int64_t width) {
  constexpr int32_t keyBytes = 16, dense = 3;
  out.int32(-1);
  out.bytes(syncMark);
  out.int32(int32_t(keyBytes + 9 + height * width * sizeof(double)));
  out.int32(keyBytes);
  out.int64(row / blockSize + 1);
  out.int64(column / blockSize + 1);
  out.int32(int32_t(height));
  out.int32(int32_t(width));
  out.byte(dense);
  std::vector<double> line(width);
  for (int64_t i = 0; i < height; ++i) {
    reader.read((row + i) * columns + column, width, line.data());
    out.reals(line);
    if (out.pending() >= piece)
      if (llvm::Error error = out.flush())
        return error;
  }
  return out.flush();
}

static llvm::Error writeBinary(OutputFile &file, const Elements &values,
                               int64_t rows, int64_t columns) {
  JavaStream out(file);
  writeHeader(out);
  Elements::Reader reader(values);
  for (int64_t row = 0; row < rows; row += blockSize)
    for (int64_t column = 0; column < columns; column += blockSize)
      if (llvm::Error error = writeBlock(out, reader, columns, row, column,
                                         std::min(blockSize, rows - row),
                                         std::min(blockSize, columns - column)))
        return error;
  return llvm::Error::success();
}

/// As Java reads it.
static void appendNumber(JavaStream &out, double value) {
  if (std::isnan(value))
    return out.bytes("NaN");
  if (std::isinf(value))
    return out.bytes(value < 0 ? "-Infinity" : "Infinity");
  char text[40];
  out.bytes(StringRef(text, std::to_chars(text, text + 40, value).ptr - text));
}

static llvm::Error writeCsv(OutputFile &file, const Elements &values,
                            int64_t rows, int64_t columns) {
  JavaStream out(file);
  Elements::Reader reader(values);
  std::vector<double> line(columns);
  for (int64_t row = 0; row < rows; ++row) {
    reader.read(row * columns, columns, line.data());
    for (int64_t i = 0; i < columns; ++i) {
      if (i != 0)
        out.byte(',');
      appendNumber(out, line[i]);
    }
    out.byte('\n');
    if (out.pending() >= piece)
      if (llvm::Error error = out.flush())
        return error;
  }
  return out.flush();
}

llvm::Error dml::writeMatrix(OutputFile &file, const Elements &values,
                             int64_t rows, int64_t columns,
                             WeightFormat format) {
  return format == WeightFormat::Binary
             ? writeBinary(file, values, rows, columns)
             : writeCsv(file, values, rows, columns);
}

Elements dml::asDoubles(const Elements &values) {
  switch (typeClass(values.type())) {
  case TypeClass::Bool:
  case TypeClass::Signed:
  case TypeClass::Unsigned:
  case TypeClass::Float:
  case TypeClass::SmallFloat:
    return values.type() == DataType::Float64
               ? values
               : ops::cast(values, DataType::Float64);
  default:
    return {};
  }
}

int64_t dml::firstInexact(const Elements &values) {
  if (values.type() != DataType::Int64 && values.type() != DataType::UInt64)
    return -1;
  constexpr int64_t limit = int64_t(1) << 53;
  const int64_t piece = std::min<int64_t>(4096, values.size());
  Elements::Reader reader(values);
  std::vector<int64_t> block(piece);
  for (int64_t first = 0; first < values.size(); first += piece) {
    int64_t count = std::min(piece, values.size() - first);
    reader.read(first, count, block.data());
    for (int64_t i = 0; i < count; ++i)
      if (block[i] > limit || block[i] < -limit)
        return first + i;
  }
  return -1;
}
