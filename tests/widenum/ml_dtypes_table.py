#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints MlDtypesTable.inc: what ml_dtypes and numpy make of some doubles and floats.

    ml_dtypes_table.py > MlDtypesTable.inc        (needs numpy and ml_dtypes; the table was made with 2.4.6 and 0.6.0)
"""

import ml_dtypes
import numpy as np

TYPES = [np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e4m3fnuz, ml_dtypes.float8_e5m2,
         ml_dtypes.float8_e5m2fnuz, ml_dtypes.float6_e2m3fn, ml_dtypes.float6_e3m2fn, ml_dtypes.float4_e2m1fn]
NAMES = ["Float16", "BFloat16", "Float8E4M3FN", "Float8E4M3FNUZ", "Float8E5M2", "Float8E5M2FNUZ", "Float6E2M3", "Float6E3M2",
         "Float4E2M1"]
FIXED = [0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 0.25, -3.5, 5.0, 7.0, 448.0, 464.0, 465.0, 240.0, 248.0, 57344.0, 61440.0,
         65504.0, 65519.0, 65520.0, 1e30, -1e30, 2.0**-9, 2.0**-10, 3 * 2.0**-11, 2.0**-17, 2.0**-18, 2.0**-24, 2.0**-25]


def main():
    rng = np.random.default_rng(1)
    scaled = rng.standard_normal(60) * 2.0 ** rng.integers(-18, 17, 60)
    values = np.array(FIXED + list(scaled), dtype=np.float32)
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Made by ml_dtypes_table.py: float, and its bits in " + ", ".join(NAMES) + ".")
    for value, *row in zip(values, *(values.astype(t).view(np.uint16 if np.dtype(t).itemsize == 2 else np.uint8) for t in TYPES)):
        print("{0x%08x, {%s}}," % (np.float32(value).view(np.uint32), ", ".join(hex(int(x)) for x in row)))


main()
