//===- MetadataTest.cpp - Metadata to bytes and back ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HandWritten.h"
#include "onnxfold/tensorfolding/runtime/MetadataLayout.h"
#include <cstring>
#include <random>

using namespace onnxfold::tensorfolding;
using namespace onnxfold::tensorfolding::testing;
using ::testing::HasSubstr;

/// Everything that metadata can have.
static Metadata everything() {
  Metadata m;
  m.entry = {"main", ResultConvention::Returned};
  m.arguments = {
      {"x", ArgumentRole::Input, {*elementTypeNamed("bf16"), {dynamicSize, 3}}},
      {"", ArgumentRole::Weight, vectorType(7)},
      {"c", ArgumentRole::CompileTimeConstant, vectorType(0)},
      {"s",
       ArgumentRole::Weight,
       {*elementTypeNamed("f32"), {}, Layout::RowMajor, true}}};
  m.arguments[1].type.layout = Layout::AnyStrides;
  m.parts = {
      {{"main.fold_runtime.0", ResultConvention::OutParameters},
       {1, 3},
       {1, 0},
       {0x0123456789abcdef, ~uint64_t(0)}},
      {{"main.fold_runtime.1", ResultConvention::Returned}, {}, {2}, {}}};
  m.foldedValues = {{{*elementTypeNamed("i4"), {4, 6}}, {8, 1}},
                    {vectorType(5), {}},
                    {{*elementTypeNamed("complex<f64>"), {dynamicSize}}, {}}};
  m.entryArguments = {folded(2), original(0), folded(0), folded(1),
                      original(3)};
  m.results = {vectorType(dynamicSize)};
  return m;
}

static std::string errorOf(const std::vector<char> &bytes) {
  std::string error;
  bool isRead = readMetadata(bytes.data(), bytes.size(), error).has_value();
  EXPECT_EQ(isRead, error.empty());
  return error;
}

template <typename T>
static void overwrite(std::vector<char> &bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

TEST(Metadata, is_read_as_it_was_written) {
  Metadata metadata = everything();
  ASSERT_EQ(checkMetadata(metadata), "");
  std::vector<char> bytes = writeMetadata(metadata);
  EXPECT_EQ(bytes, writeMetadata(metadata));
  std::string error;
  std::optional<Metadata> read =
      readMetadata(bytes.data(), bytes.size(), error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(*read, metadata);
  // At an odd address, and with its length from its header.
  bytes.insert(bytes.begin(), 'x');
  read = readMetadata(bytes.data() + 1, unknownSize, error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(*read, metadata);
}

TEST(Metadata, has_the_layout_that_C_programs_see) {
  std::vector<char> bytes = writeMetadata(everything());
  onnxfold_ct_metadata_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  EXPECT_EQ(std::memcmp(header.magic, "OFCTMETA", 8), 0);
  EXPECT_EQ(header.version, 1u);
  EXPECT_EQ(header.total_bytes, bytes.size());
  onnxfold_ct_part_record part;
  std::memcpy(&part, bytes.data() + header.tables[ONNXFOLD_CT_PARTS].offset,
              sizeof(part));
  EXPECT_EQ(part.hash[0], 0x0123456789abcdefu);
  EXPECT_EQ(part.inputs.count, 2u);
  const char *symbol = bytes.data() +
                       header.tables[ONNXFOLD_CT_STRINGS].offset +
                       part.function.symbol.first;
  EXPECT_EQ(std::string(symbol, part.function.symbol.count),
            "main.fold_runtime.0");
}

TEST(Metadata, of_a_later_version_is_refused) {
  std::vector<char> bytes = writeMetadata(everything());
  overwrite<uint32_t>(bytes, 8, 7);
  EXPECT_EQ(errorOf(bytes),
            "metadata has version 7, expected at most 1: it was written by a "
            "later onnx-fold than this library");
  bytes[0] = 'X';
  EXPECT_EQ(errorOf(bytes), "metadata does not begin with 'OFCTMETA', expected "
                            "what constant-tensor-folding writes");
}

TEST(Metadata, that_the_program_does_not_have_is_refused) {
  // dlsym gives null for a name that is not there.
  std::string error;
  EXPECT_FALSE(readMetadata(nullptr, unknownSize, error));
  EXPECT_EQ(error, "metadata has no address, expected that of the constant "
                   "'<entry>.fold_metadata'");
}

TEST(Metadata, with_longer_records_is_read) {
  // As a later writer of the same version may append fields: results at the
  // end, 8 bytes more each.
  Metadata metadata = everything();
  std::vector<char> bytes = writeMetadata(metadata);
  size_t place = 24 + 16 * ONNXFOLD_CT_RESULTS;
  overwrite<uint32_t>(bytes, place + 12, sizeof(onnxfold_ct_type_record) + 8);
  bytes.resize(bytes.size() + 8, char(0x77));
  overwrite<uint64_t>(bytes, 16, bytes.size());
  std::string error;
  std::optional<Metadata> read =
      readMetadata(bytes.data(), bytes.size(), error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(*read, metadata);
}

TEST(Metadata, that_is_cut_off_is_refused) {
  std::vector<char> bytes = writeMetadata(everything());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(errorOf({bytes.begin(), bytes.begin() + size}), "")
        << "at " << size;
  EXPECT_EQ(errorOf({bytes.begin(), bytes.begin() + 40}),
            "metadata has 40 bytes, expected " + std::to_string(bytes.size()) +
                " as its header says");
}

TEST(Metadata, counts_that_overflow_are_refused) {
  for (int table = 0; table < ONNXFOLD_CT_TABLES; ++table)
    for (uint64_t offset : {uint64_t(1) << 62, ~uint64_t(0), ~uint64_t(7)}) {
      std::vector<char> bytes = writeMetadata(everything());
      overwrite<uint64_t>(bytes, 24 + 16 * table, offset);
      EXPECT_THAT(errorOf(bytes), HasSubstr("table " + std::to_string(table)));
      overwrite<uint64_t>(bytes, 24 + 16 * table, 24);
      overwrite<uint32_t>(bytes, 24 + 16 * table + 8, 0xffffffff);
      EXPECT_THAT(errorOf(bytes), HasSubstr("table " + std::to_string(table)));
    }
}

TEST(Metadata, random_damage_is_refused_or_harmless) {
  unsigned seed = 20261122;
  if (const char *given = std::getenv("ONNXFOLD_SEED"))
    seed = unsigned(std::stoul(given));
  SCOPED_TRACE("ONNXFOLD_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<char> original = writeMetadata(everything());
  int rounds = std::getenv("ONNXFOLD_LONG") ? 2000000 : 50000, refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<char> bytes = original;
    for (unsigned i = 0; i <= random() % 4; ++i) {
      size_t place = random() % bytes.size();
      switch (random() % 3) {
      case 0:
        bytes[place] = char(random());
        break;
      case 1:
        bytes[place] ^= char(1 << random() % 8);
        break;
      default: { // a number at its limits
        uint32_t limits[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
        overwrite(bytes, place / 4 * 4 % (bytes.size() - 4),
                  limits[random() % 5]);
      }
      }
    }
    std::string error;
    std::optional<Metadata> read =
        readMetadata(bytes.data(), bytes.size(), error);
    refused += !read;
    if (read) {
      ASSERT_EQ(checkMetadata(*read), "");
      std::vector<char> again = writeMetadata(*read);
      ASSERT_EQ(*readMetadata(again.data(), again.size(), error), *read);
    }
  }
  EXPECT_GT(refused, rounds / 10);
  EXPECT_LT(refused, rounds);
}

TEST(Metadata, that_contradicts_itself_is_refused) {
  auto wrong = [](auto change) {
    Metadata metadata = everything();
    change(metadata);
    std::string text = checkMetadata(metadata);
    EXPECT_EQ(errorOf(writeMetadata(metadata)), "metadata: " + text);
    return text;
  };
  EXPECT_EQ(wrong([](Metadata &m) { m.parts[0].inputs = {9}; }),
            "part 0 ('main.fold_runtime.0') has input 9, expected a number "
            "below 4, of an argument");
  EXPECT_EQ(wrong([](Metadata &m) { m.parts[0].inputs = {0}; }),
            "part 0 ('main.fold_runtime.0') has input 0, which is given with "
            "every call, expected a constant");
  EXPECT_EQ(wrong([](Metadata &m) { m.parts[1].outputs = {1}; }),
            "part 1 ('main.fold_runtime.1') has folded value 1 as an output, "
            "expected it once");
  EXPECT_EQ(wrong([](Metadata &m) { m.parts[0].outputs = {1}; }),
            "folded value 0 has no part, expected one with it as an output");
  EXPECT_EQ(wrong([](Metadata &m) {
              m.parts[1].function.convention = ResultConvention::OutParameters;
            }),
            "part 1 ('main.fold_runtime.1') has out-parameter "
            "tensor<?xcomplex<f64>>, expected a static shape");
  EXPECT_EQ(wrong([](Metadata &m) { m.entryArguments[0] = folded(3); }),
            "entry 'main' has argument 0 from folded value 3, expected a "
            "number below 3, of a folded value");
  EXPECT_EQ(wrong([](Metadata &m) { m.entry.symbol = ""; }),
            "entry '' has no symbol, expected the name of a function");
  EXPECT_EQ(wrong([](Metadata &m) { m.arguments[0].type.shape[1] = -1; }),
            "argument 0 has size -1 in its shape, expected one of at least 0, "
            "or dynamic");
  EXPECT_EQ(
      wrong([](Metadata &m) {
        m.foldedValues[1].type.shape = {int64_t(1) << 40, int64_t(1) << 40};
      }),
      "folded value 1 has type tensor<1099511627776x1099511627776xi64>, "
      "expected one whose bytes fit 62 bits");
  EXPECT_EQ(wrong([](Metadata &m) {
              m.foldedValues[0].strides = {5, 1};
            }),
            "folded value 0 has stride 5 of dimension 0, expected one that is "
            "larger than what the smaller strides span, and bytes that fit 62 "
            "bits");
  EXPECT_EQ(wrong([](Metadata &m) { m.arguments[1].type.element.code = 77; }),
            "argument 1 has element type code 77 in 64 bits, expected one of "
            "ElementType.h");
}

TEST(ElementType, names_are_those_of_MLIR) {
  for (const char *name : {"i1",          "i4",         "i8",
                           "si16",        "ui32",       "i64",
                           "i128",        "index",      "f16",
                           "f32",         "f64",        "f128",
                           "bf16",        "tf32",       "f80",
                           "f8E5M2",      "f8E4M3",     "f8E4M3FN",
                           "f8E5M2FNUZ",  "f8E4M3FNUZ", "f8E4M3B11FNUZ",
                           "f8E3M4",      "f8E8M0FNU",  "f6E2M3FN",
                           "f6E3M2FN",    "f4E2M1FN",   "complex<f32>",
                           "complex<i16>"}) {
    std::optional<ElementType> type = elementTypeNamed(name);
    ASSERT_TRUE(type) << name;
    EXPECT_TRUE(isElementType(*type)) << name;
    EXPECT_EQ(elementName(*type), name);
  }
  for (const char *name : {"", "i", "f", "f33", "i0", "i4x", "string",
                           "complex<f32", "complex<>", "i99999999999"})
    EXPECT_FALSE(elementTypeNamed(name)) << name;
  EXPECT_EQ(elementTypeOf<bool>(), *elementTypeNamed("i1"));
  EXPECT_EQ(elementTypeOf<std::complex<float>>(),
            *elementTypeNamed("complex<f32>"));
}

TEST(ElementType, storage_is_that_of_compiled_code) {
  auto bits = [](const char *name) {
    return elementTypeNamed(name)->storageBits;
  };
  EXPECT_EQ(bits("i1"), 8u);
  EXPECT_EQ(bits("i4"), 8u);
  EXPECT_EQ(bits("i24"), 32u);
  EXPECT_EQ(bits("index"), 64u);
  EXPECT_EQ(bits("f80"), 128u);
  EXPECT_EQ(bits("tf32"), 32u);
  EXPECT_EQ(bits("complex<f32>"), 64u);
}
