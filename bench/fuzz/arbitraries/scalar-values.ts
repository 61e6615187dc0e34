// Values of protobuf scalar types, with more of those where implementations differ than chance would give.
import { ScalarType } from "@bufbuild/protobuf";
import * as fc from "fast-check";

function often<T>(corners: readonly T[], others: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof(fc.constantFrom(...corners), others);
}

const int32 = often([0, 1, -1, 2 ** 31 - 1, -(2 ** 31)], fc.integer());
const uint32 = often([0, 1, 2 ** 31, 2 ** 32 - 1], fc.integer({ min: 0, max: 2 ** 32 - 1 }));
const int64 = often(
  [0n, 1n, -1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)],
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);
const uint64 = often([0n, 1n, 2n ** 53n + 1n, 2n ** 64n - 1n], fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
const double = often([0, -0, 1.5, Number.NaN, Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE], fc.double());
const float = often([0, -0, 1.5, Number.NaN, Infinity, -Infinity, Math.fround(3.4028234663852886e38)], fc.float());
const bytes = fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ maxLength: 64 }));

/** Unicode without lone surrogates, which protobuf cannot encode. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "",
    "0",
    "null",
    "true",
    "NaN",
    "__proto__",
    "constructor",
    ".",
    "..",
    "a/b",
    "a%2Fb",
    "a b+c",
    "?x=1&y#z",
    "*",
    "**",
    ":",
    "\u0000",
    "\r\nX-Injected: 1",
    "e\u0301",
    "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
    "\uFEFF",
    "$input",
    '{"a":1}',
  ),
);

const byType: Readonly<Record<ScalarType, fc.Arbitrary<unknown>>> = {
  [ScalarType.DOUBLE]: double,
  [ScalarType.FLOAT]: float,
  [ScalarType.INT32]: int32,
  [ScalarType.SINT32]: int32,
  [ScalarType.SFIXED32]: int32,
  [ScalarType.UINT32]: uint32,
  [ScalarType.FIXED32]: uint32,
  [ScalarType.INT64]: int64,
  [ScalarType.SINT64]: int64,
  [ScalarType.SFIXED64]: int64,
  [ScalarType.UINT64]: uint64,
  [ScalarType.FIXED64]: uint64,
  [ScalarType.BOOL]: fc.boolean(),
  [ScalarType.STRING]: text,
  [ScalarType.BYTES]: bytes,
};

/** A value of a scalar type, as in protobuf-es reflection: 64-bit integers are bigints. */
export function scalarValue(type: ScalarType): fc.Arbitrary<unknown> {
  return byType[type];
}
