/* SPDX-License-Identifier: Apache-2.0 */
/*===- MetadataLayout.h - Bytes of the metadata of a folded entry -*- C -*-===*\
|*
|* The pass constant-tensor-folding divides a function in two and adds a
|* constant `<entry>.fold_metadata` to the program, whose bytes have this
|* layout. C++ programs use Metadata.h, which also says what the fields mean.
|*
|* The metadata are a header and then tables of records of a fixed size, each
|* at a multiple of 8 bytes from the start. All numbers are little-endian.
|* Offsets count from the start of the metadata and indices refer to its own
|* tables, so that the same program has the same bytes, and these may be at any
|* address.
|*
|* A table has the size of its records: a later version of the same number may
|* append fields, which earlier readers skip. A version that earlier readers
|* would misread has a larger number, which they refuse.
|*
|* readMetadata trusts nothing: it checks every offset, count and index.
|*
\*===----------------------------------------------------------------------===*/
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_METADATALAYOUT_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_METADATALAYOUT_H

#include <stdint.h> // NOLINT(modernize-deprecated-headers): this is C

/* NOLINTBEGIN(readability-identifier-naming): names as C has them */

#define ONNXFOLD_CT_METADATA_MAGIC "OFCTMETA"
#define ONNXFOLD_CT_METADATA_VERSION 1
/* A size that is known at run time only. */
#define ONNXFOLD_CT_DYNAMIC INT64_MIN
/* The rank of a scalar, such as f32 or index, which is passed by value. */
#define ONNXFOLD_CT_SCALAR (-1)

/* Tables, in the order of the header. */
enum {
  ONNXFOLD_CT_STRINGS,         /* bytes of UTF-8 */
  ONNXFOLD_CT_INTEGERS,        /* int64_t */
  ONNXFOLD_CT_ENTRY,           /* one onnxfold_ct_function_record */
  ONNXFOLD_CT_ARGUMENTS,       /* onnxfold_ct_argument_record */
  ONNXFOLD_CT_PARTS,           /* onnxfold_ct_part_record */
  ONNXFOLD_CT_FOLDED_VALUES,   /* onnxfold_ct_folded_record */
  ONNXFOLD_CT_ENTRY_ARGUMENTS, /* onnxfold_ct_entry_argument_record */
  ONNXFOLD_CT_RESULTS,         /* onnxfold_ct_type_record */
  ONNXFOLD_CT_TABLES
};

typedef struct {
  uint64_t offset; /* of the first record */
  uint32_t count;
  uint32_t record_bytes;
} onnxfold_ct_table;

typedef struct {
  char magic[8];
  uint32_t version;
  uint32_t table_count; /* at least ONNXFOLD_CT_TABLES */
  uint64_t total_bytes; /* of the header and all tables */
  onnxfold_ct_table tables[ONNXFOLD_CT_TABLES];
} onnxfold_ct_metadata_header;

/* A range of STRINGS or INTEGERS. */
typedef struct {
  uint32_t first, count;
} onnxfold_ct_span;

typedef struct {
  uint32_t element;      /* ElementType::code */
  uint32_t storage_bits; /* ElementType::storageBits */
  int32_t rank;          /* ONNXFOLD_CT_SCALAR for scalars */
  uint32_t layout;       /* 0: row-major, 1: any strides */
  onnxfold_ct_span shape;
} onnxfold_ct_type_record;

typedef struct {
  onnxfold_ct_span symbol;
  uint32_t convention; /* 0: out-parameters, 1: returned */
  uint32_t reserved;
} onnxfold_ct_function_record;

typedef struct {
  onnxfold_ct_span name;
  uint32_t role; /* 0: input, 1: compile-time constant, 2: weight */
  uint32_t reserved;
  onnxfold_ct_type_record type;
} onnxfold_ct_argument_record;

typedef struct {
  onnxfold_ct_function_record function;
  onnxfold_ct_span inputs;  /* numbers of arguments */
  onnxfold_ct_span outputs; /* numbers of folded values */
  uint64_t hash[2];
} onnxfold_ct_part_record;

typedef struct {
  onnxfold_ct_type_record type;
  onnxfold_ct_span strides; /* none: row-major */
} onnxfold_ct_folded_record;

typedef struct {
  uint32_t kind; /* 0: argument of the original entry, 1: folded value */
  uint32_t index;
} onnxfold_ct_entry_argument_record;

/* NOLINTEND(readability-identifier-naming) */

#endif /* ONNXFOLD_TENSORFOLDING_RUNTIME_METADATALAYOUT_H */
