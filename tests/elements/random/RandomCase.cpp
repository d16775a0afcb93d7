//===- RandomCase.cpp - Operands and results of a random program ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/widenum/Dispatch.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace onnxfold;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static constexpr DataType allTypes[] = {
#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class) DataType::Name,
#include "onnxfold/widenum/DataTypes.def"
};

bool onnxfold::anyType(DataType) { return true; }
bool onnxfold::isFullFloat(DataType type) {
  return typeClass(type) == TypeClass::Float;
}
bool onnxfold::isAnyInteger(DataType type) { return isInteger(type); }
bool onnxfold::isFullInteger(DataType type) {
  return isInteger(type) && !isSubByte(type);
}
bool onnxfold::isArithmetic(DataType type) {
  return isFullInteger(type) || isFullFloat(type);
}
bool onnxfold::isOrdered(DataType type) {
  return isArithmetic(type) || type == DataType::Bool;
}
bool onnxfold::isNumberOrBool(DataType type) {
  return isNumeric(type) || type == DataType::Bool;
}

DataType Case::type(TypeFilter filter) {
  std::vector<DataType> fitting;
  for (DataType type : allTypes)
    if (filter(type))
      fitting.push_back(type);
  return fitting[random.integer(0, fitting.size() - 1)];
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Cell Case::integerValue(DataType type, int64_t style) {
  if (type == DataType::Bool)
    return cellOf(random.integer(0, 1) == 1);
  int bits = bitWidth(type);
  switch (style) {
  case 0: // small
    return integerCell(type, random.integer(-9, 9));
  case 1: { // beside the ends and powers of two
    Integer power = Integer(1) << random.integer(0, bits);
    return integerCell(type,
                       power * random.integer(-1, 1) + random.integer(-1, 1));
  }
  default:
    return integerCell(type, Integer(random.engine()));
  }
}

Cell Case::floatValue(DataType type, int64_t style) {
  unsigned bits = bitWidth(type);
  if (type == DataType::Float8E8M0)
    return cellOf(uint8_t(random.integer(0, 255)));
  switch (style) {
  case 0: // few digits: sums and products are often exact
    return wideCell(type, random.integer(-32, 32) / 4.0L);
  case 1: { // special values
    static constexpr long double values[] = {
        0.0L,    -0.0L,         INFINITY,  -INFINITY, NAN,     1.0L,
        -1.0L,   0.5L,          -0.5L,     1.5L,      2.5L,    -2.5L,
        1e-8L,   -1e-8L,        65504.0L,  65520.0L,  448.0L,  1e30L,
        -1e38L,  1e-40L,        0x1p-149L, 0x1p-24L,  3.4e38L, 255.5L,
        -128.5L, 2147483648.0L, 0x1p63L,   0.1L,      1e300L,  5e-324L};
    return wideCell(type, values[random.integer(0, std::size(values) - 1)]);
  }
  case 2: // any pattern
    return cellOf(random.engine() & (~uint64_t(0) >> (64 - bits)));
  default:
    return wideCell(type, std::ldexp((long double)random.real(-1, 1),
                                     int(random.integer(-6, 7))));
  }
}

/// Characters that live for ever.
static const std::string &text(int64_t number) {
  static const std::vector<std::string> texts = {
      "",
      "a",
      "b",
      "ab",
      "0",
      "-1.5",
      "nan",
      std::string("a\0b", 3),
      "cat",
      "dog",
      "Cat",
      "gr\xc3\xbc\xc3\x9f",
      "a long text, longer than any small buffer",
      "z",
      "zebra",
      "1e10",
      " "};
  return texts[number % texts.size()];
}

/// Of a random style.
Cell Case::cell(DataType type) {
  int64_t style = random.integer(0, 3);
  switch (typeClass(type)) {
  case TypeClass::String:
    return cellOf(llvm::StringRef(text(random.integer(0, 1000))));
  case TypeClass::Opaque:
    return cellOf(random.engine());
  case TypeClass::Complex: {
    unsigned width = byteWidth(type) / 2;
    DataType part = width == 4 ? DataType::Float32 : DataType::Float64;
    Cell real = floatValue(part, style), imaginary = floatValue(part, style);
    std::memcpy(real.bytes + width, imaginary.bytes, width);
    return real;
  }
  case TypeClass::Float:
  case TypeClass::SmallFloat:
    return floatValue(type, style);
  default:
    return integerValue(type, style);
  }
}

/// Values of one style; sometimes the same along some axes, so that strides of
/// 0 can stand for them.
AnyTensor Case::randomTensor(DataType type, ShapeRef shape) {
  bool repeats = chance(30);
  std::vector<bool> repeated(shape.size());
  for (size_t d = 0; d < shape.size(); ++d)
    repeated[d] = repeats && chance(50);
  int64_t style = random.integer(0, 4);
  auto value = [&] {
    if (isFloat(type))
      return floatValue(type, style);
    if (isInteger(type))
      return integerValue(type, style);
    return cell(type);
  };
  AnyTensor result{type, Shape(shape), {}};
  forEachIndex(shape, [&](ShapeRef i) {
    Shape first(i);
    for (size_t d = 0; d < first.size(); ++d)
      if (repeated[d])
        first[d] = 0;
    // Values at earlier places are there already.
    int64_t number = 0;
    for (size_t d = 0; d < first.size(); ++d)
      number = number * shape[d] + first[d];
    bool known = number < result.size();
    result.cells.push_back(known ? result.cells[number] : value());
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Shape Case::shape(int64_t leastRank, int64_t mostRank) {
  int64_t rank = random.integer(leastRank, mostRank);
  Shape result;
  bool empty = chance(6);
  for (int64_t d = 0; d < rank; ++d)
    result.push_back(random.integer(1, rank <= 2 && chance(40) ? 40 : 5));
  if (rank > 0 && empty)
    result[random.integer(0, rank - 1)] = 0;
  else if (rank > 0 && large)
    for (int64_t n = 1; n < 8 && numElements(result) < 60000; ++n)
      result[random.integer(0, rank - 1)] *= random.integer(2, 9);
  while (!fits(result))
    for (int64_t &d : result)
      d = (d + 1) / 2;
  return result;
}

Pair Case::fresh(DataType type, ShapeRef shape) {
  log.push_back("fresh " + name(type).str() + toString(shape));
  return disguised(randomTensor(type, shape));
}

Pair Case::operand(TypeFilter filter, int64_t leastRank, int64_t mostRank) {
  std::vector<Pair *> known;
  for (Pair &pair : results)
    if (pair.actual && filter(pair.naive.type) &&
        pair.naive.rank() >= leastRank && pair.naive.rank() <= mostRank)
      known.push_back(&pair);
  Pair result;
  if (!known.empty() && chance(60)) {
    Pair *chosen = known[random.integer(0, known.size() - 1)];
    log.push_back("operand #" + std::to_string(chosen - results.data()));
    result = *chosen;
    // What nobody else refers to may be overwritten.
    if (chance(40)) {
      log.back() += ", which dies";
      chosen->actual = {};
    }
  } else {
    result = fresh(type(filter), shape(leastRank, mostRank));
  }
  for (size_t i = 0; i < std::size(allTypes); ++i) {
    covered.allTypes |= uint64_t(filter(allTypes[i])) << i;
    covered.types |= uint64_t(allTypes[i] == result.naive.type) << i;
  }
  for (int64_t rank = leastRank; rank <= mostRank; ++rank)
    covered.allRanks |= uint64_t(1) << rank;
  covered.ranks |= uint64_t(1) << result.naive.rank();
  return result;
}

void Case::Coverage::merge(const Coverage &other) {
  types |= other.types;
  allTypes |= other.allTypes;
  ranks |= other.ranks;
  allRanks |= other.allRanks;
}

Pair Case::broadcastPartner(const Pair &x, DataType type) {
  Shape shape(x.naive.shape);
  for (int64_t &d : shape) {
    if (chance(20))
      d = 1;
    else if (d == 1 && chance(20))
      d = random.integer(0, 4);
  }
  if (chance(30))
    shape.erase(shape.begin(), shape.begin() + random.integer(0, shape.size()));
  else if (shape.size() < 5 && chance(15))
    shape.insert(shape.begin(), random.integer(1, 3));
  std::optional<Shape> common = broadcastShapes(shape, x.naive.shape);
  return fresh(type, common && fits(*common) ? shape : x.naive.shape);
}

Pair Case::indices(ShapeRef shape,
                   const std::function<int64_t(ShapeRef)> &limit) {
  int64_t most = 0;
  forEachIndex(shape, [&](ShapeRef i) { most = std::max(most, limit(i)); });
  DataType kind = type(isAnyInteger);
  int digits = int(bitWidth(kind)) - isSigned(kind);
  if (digits < 62 && most > int64_t(1) << digits)
    kind = DataType::Int64;
  return disguised(AnyTensor::make(kind, shape, [&](ShapeRef i) {
    int64_t n = limit(i);
    return integerCell(kind, random.integer(isSigned(kind) ? -n : 0, n - 1));
  }));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

std::string Case::history() const {
  return "history:\n  " + llvm::join(log, "\n  ");
}

/// All elements, by one of the ways to read them.
AnyTensor Case::read(Elements actual) {
  AnyTensor result{actual.type(), Shape(actual.shape()), {}};
  DataType type = actual.type();
  int64_t size = actual.size(), width = byteWidth(type);
  std::vector<char> bytes(size * width + 16);
  Elements computed; // keeps the characters of strings
  switch (random.integer(0, 4)) {
  case 0:
    actual.read(bytes.data());
    break;
  case 1: { // pieces
    Elements::Reader reader(actual);
    for (int64_t first = 0; first < size;) {
      int64_t count = random.integer(1, size - first);
      reader.read(first, count, &bytes[first * width]);
      first += count;
    }
    break;
  }
  case 2:
    computed = actual.materialize();
    std::memcpy(bytes.data(), ElementsBytes(computed).data(), size * width);
    break;
  case 3: { // views, last piece first
    Elements::Reader reader(actual);
    std::vector<char> scratch(size * width + 16);
    int64_t piece = std::max<int64_t>(1, size / 3);
    for (int64_t end = size; end > 0; end -= std::min(piece, end)) {
      int64_t first = std::max<int64_t>(0, end - piece);
      const void *from = reader.view(first, end - first, scratch.data());
      std::memcpy(&bytes[first * width], from, (end - first) * width);
    }
    break;
  }
  default:
    computed = std::move(actual).materialize();
    Elements::Reader(computed).readAll(bytes.data());
  }
  result.cells.resize(size);
  for (int64_t i = 0; i < size; ++i) {
    Cell &cell = result.cells[i];
    std::memcpy(cell.bytes, &bytes[i * width], width);
    llvm::StringRef seen(cell.bytes, width);
    if (type == DataType::String) {
      seen = valueOf<llvm::StringRef>(cell);
      // The characters may go with `computed`.
      static std::vector<std::unique_ptr<std::string>> kept;
      kept.push_back(std::make_unique<std::string>(seen.str()));
      cell = cellOf(llvm::StringRef(*kept.back()));
    }
    for (char c : seen)
      hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  }
  return result;
}

/// Whether the result can be compared at all; notes it in the history.
bool Case::readable(const std::string &what, const Elements &actual,
                    DataType type, ShapeRef shape) {
  log.push_back(what);
  EXPECT_TRUE(bool(actual)) << "no result\n" << history();
  if (!actual)
    return false;
  log.back() += " -> #" + std::to_string(results.size()) + " " +
                name(actual.type()).str() + toString(actual.shape());
  EXPECT_EQ(name(actual.type()).str(), name(type).str()) << history();
  EXPECT_EQ(toString(actual.shape()), toString(shape)) << history();
  return actual.type() == type && actual.shape() == shape;
}

void Case::add(const std::string &what, Elements actual, AnyTensor expected) {
  if (!readable(what, actual, expected.type, expected.shape))
    return;
  results.push_back({std::move(actual), std::move(expected)});
  compared.push_back(false);
  if (chance(50))
    compare(results.size() - 1);
}

void Case::compare(size_t number, bool isLast) {
  Pair &pair = results[number];
  AnyTensor seen = read(isLast ? std::move(pair.actual) : pair.actual);
  compared[number] = true;
  for (int64_t i = 0; i < seen.size(); ++i) {
    if (sameCell(seen.type, seen.cells[i], pair.naive.cells[i]))
      continue;
    ADD_FAILURE() << "#" << number << ": element " << i << " of " << seen.size()
                  << " is " << toText(seen.type, seen.cells[i]) << ", expected "
                  << toText(seen.type, pair.naive.cells[i]) << "\n"
                  << history();
    return;
  }
}

void Case::addAnyZero(const std::string &what, Elements actual,
                      const AnyTensor &expected) {
  if (!readable(what, actual, expected.type, expected.shape))
    return;
  AnyTensor seen = read(actual);
  for (int64_t i = 0; i < seen.size(); ++i)
    if (!sameCell(seen.type, seen.cells[i], expected.cells[i], true)) {
      ADD_FAILURE() << "element " << i << " of " << seen.size() << " is "
                    << toText(seen.type, seen.cells[i]) << ", expected "
                    << toText(seen.type, expected.cells[i]) << "\n"
                    << history();
      return;
    }
  results.push_back({std::move(actual), std::move(seen)});
  compared.push_back(true);
}

/// Whether `value` is an element that the bound allows.
static bool isWithin(DataType type, const Cell &value, const Bound &bound) {
  if (std::isnan(bound.slack))
    return true; // nothing is known
  if (std::isnan(bound.exact))
    return isNaN(type, value);
  long double slack = std::isinf(bound.exact) ? 0 : bound.slack;
  Cell low = wideCell(type, bound.exact - slack);
  Cell high = wideCell(type, bound.exact + slack);
  int below = compareCells(type, value, low);
  int above = compareCells(type, value, high);
  return (below == 0 || below == 1) && (above == 0 || above == -1);
}

/// The parts of a number: two of a complex one.
static llvm::SmallVector<Cell, 2> partsOf(DataType type, const Cell &cell) {
  if (!isComplex(type))
    return {cell};
  unsigned width = byteWidth(type) / 2;
  llvm::SmallVector<Cell, 2> parts(2);
  std::memcpy(parts[0].bytes, cell.bytes, width);
  std::memcpy(parts[1].bytes, cell.bytes + width, width);
  return parts;
}

void Case::addWithin(const std::string &what, Elements actual, DataType type,
                     ShapeRef shape, const std::vector<Bound> &bounds) {
  if (!readable(what, actual, type, shape))
    return;
  AnyTensor seen = read(actual);
  DataType part = type == DataType::Complex64    ? DataType::Float32
                  : type == DataType::Complex128 ? DataType::Float64
                                                 : type;
  size_t next = 0;
  for (int64_t i = 0; i < seen.size(); ++i)
    for (const Cell &cell : partsOf(type, seen.cells[i])) {
      const Bound &bound = bounds.at(next++);
      if (isWithin(part, cell, bound))
        continue;
      ADD_FAILURE() << "element " << i << " of " << seen.size() << " is "
                    << toText(part, cell) << ", expected "
                    << toText(part, wideCell(part, bound.exact)) << " ("
                    << double(bound.exact) << " +- " << double(bound.slack)
                    << ")\n"
                    << history();
      return;
    }
  results.push_back({std::move(actual), std::move(seen)});
  compared.push_back(true);
}

void Case::finish() {
  // Last first: what was computed for the others is used again.
  bool backwards = chance(50);
  for (size_t i = 0; i < results.size(); ++i) {
    size_t number = backwards ? results.size() - 1 - i : i;
    if (results[number].actual && (!compared[number] || chance(30)))
      compare(number, /*isLast=*/chance(70));
  }
}
