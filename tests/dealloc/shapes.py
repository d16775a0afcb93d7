# SPDX-License-Identifier: Apache-2.0
"""Functions of any number of operations, as text: what the passes of dealloc/ take time for.

Buffers one after the other, a chain of loops, a chain of branches, views, blocks, and functions that call each other.
"""


def function(body, name="f", result=""):
    return f"func.func @{name}(%c: i1, %x: memref<8xf32>, %n: index){result} {{\n{body}}}\n"


def straight(count):
    lines = ["%v = arith.constant 1.0 : f32\n%z = arith.constant 0 : index\n"]
    for i in range(count // 3):
        lines.append(f"%b{i} = memref.alloc() : memref<8xf32>\nmemref.store %v, %b{i}[%z] : memref<8xf32>\n")
        lines.append(f"%w{i} = memref.load %b{i}[%z] : memref<8xf32>\n")
    return function("".join(lines) + "return\n")


def loops(count):
    lines = ["%b0 = memref.alloc() : memref<8xf32>\n"]
    for i in range(count // 3):
        lines.append(
            f"%b{i + 1} = scf.for %i{i} = %n to %n step %n iter_args(%m{i} = %b{i}) -> memref<8xf32> {{\n"
            f"%t{i} = memref.alloc() : memref<8xf32>\nscf.yield %t{i} : memref<8xf32>\n}}\n"
        )
    return function("".join(lines) + "return\n")


def branches(count):
    lines = ["%b0 = memref.alloc() : memref<8xf32>\n"]
    for i in range(count // 4):
        lines.append(
            f"%b{i + 1} = scf.if %c -> memref<8xf32> {{\nscf.yield %b{i} : memref<8xf32>\n}} else {{\n"
            f"%t{i} = memref.alloc() : memref<8xf32>\nscf.yield %t{i} : memref<8xf32>\n}}\n"
        )
    return function("".join(lines) + "return\n")


def views(count):
    lines = ["%b0 = memref.alloc() : memref<8xf32>\n%d0 = memref.cast %b0 : memref<8xf32> to memref<?xf32>\n"]
    for i in range(count // 2):
        lines.append(f"%b{i + 1} = memref.cast %d{i} : memref<?xf32> to memref<8xf32>\n")
        lines.append(f"%d{i + 1} = memref.cast %b{i + 1} : memref<8xf32> to memref<?xf32>\n")
    return function("".join(lines) + "return\n")


def blocks(count):
    lines = ["%b0 = memref.alloc() : memref<8xf32>\ncf.br ^l0(%b0 : memref<8xf32>)\n"]
    for i in range(count // 4):
        lines.append(
            f"^l{i}(%m{i}: memref<8xf32>):\ncf.cond_br %c, ^t{i}, ^l{i + 1}(%m{i} : memref<8xf32>)\n"
            f"^t{i}:\n%t{i} = memref.alloc() : memref<8xf32>\ncf.br ^l{i + 1}(%t{i} : memref<8xf32>)\n"
        )
    return function("".join(lines) + f"^l{count // 4}(%last: memref<8xf32>):\nreturn\n")


def functions(count):
    parts = []
    for i in range(count // 4):
        parts.append(
            f"func.func private @g{i}(%m: memref<8xf32>) -> memref<8xf32> {{\n%t = memref.alloc() : memref<8xf32>\n"
            f"%r = call @g{i + 1}(%t) : (memref<8xf32>) -> memref<8xf32>\nreturn %r : memref<8xf32>\n}}\n"
        )
    parts.append(f"func.func private @g{count // 4}(%m: memref<8xf32>) -> memref<8xf32> {{\nreturn %m : memref<8xf32>\n}}\n")
    return "".join(parts)


SHAPES = {f.__name__: f for f in (straight, loops, branches, views, blocks, functions)}
