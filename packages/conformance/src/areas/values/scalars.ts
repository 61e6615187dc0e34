// Values of the scalar types: exact numbers, every character, every byte.
import { Colour } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import { ConformanceService, EchoResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { casesIn } from "../../case/case.ts";
import { echoing, echoed } from "../../support/handlers.ts";
import { expectError, expectMessage, inTurn } from "../../case/expectations.ts";

const { echo } = ConformanceService.method;

const int32 = { least: -(2 ** 31), most: 2 ** 31 - 1 } as const;
const int64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n } as const;
/** The number of a colour that only a newer contract may know. */
const unnamed = 77 as Colour;
const most32 = 2 ** 32 - 1;
const most64 = 2n ** 64n - 1n;
const beyondDouble = 2n ** 53n + 1n;
const largestFloat = 3.4028234663852886e38;
const smallestFloat = 2 ** -149;
const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

function doubles(...values: readonly number[]): readonly { scalars: { doubleValue: number } }[] {
  return values.map((doubleValue) => ({ scalars: { doubleValue } }));
}

function floats(...values: readonly number[]): readonly { scalars: { floatValue: number } }[] {
  return values.map((floatValue) => ({ scalars: { floatValue } }));
}

function texts(...values: readonly string[]): readonly { scalars: { stringValue: string } }[] {
  return values.map((stringValue) => ({ scalars: { stringValue } }));
}

/** The cases RT-0140 to RT-0156. */
export const scalarCases = casesIn("values", ["server"], {
  "RT-0140 a message whose scalars are all zero comes back with all of them zero": echoed({ scalars: {} }),
  "RT-0141 signed 32-bit integers are kept from the least to the largest": echoed(
    ...[int32.least, -1, 1, int32.most].map((value) => ({
      scalars: { int32Value: value, sint32Value: value, sfixed32Value: value },
    })),
  ),
  "RT-0142 unsigned 32-bit integers are kept up to the largest": echoed(
    ...[1, 2 ** 31, most32].map((value) => ({ scalars: { uint32Value: value, fixed32Value: value } })),
  ),
  "RT-0143 signed 64-bit integers are kept from the least to the largest": echoed(
    ...[int64.least, -1n, 1n, int64.most].map((value) => ({
      scalars: { int64Value: value, sint64Value: value, sfixed64Value: value },
    })),
  ),
  "RT-0144 integers beyond the precision of a double are kept exactly": echoed(
    ...[beyondDouble, -beyondDouble].map((value) => ({
      scalars: { int64Value: value, sint64Value: value, sfixed64Value: value },
    })),
    { scalars: { uint64Value: beyondDouble, fixed64Value: beyondDouble } },
  ),
  "RT-0145 unsigned 64-bit integers are kept up to the largest": echoed(
    ...[1n, 2n ** 63n, most64].map((value) => ({ scalars: { uint64Value: value, fixed64Value: value } })),
  ),
  "RT-0146 doubles are kept to the last bit": echoed(
    ...doubles(0.1 + 0.2, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, Number.EPSILON, 1e21, 1e-7, 5e-324),
  ),
  "RT-0147 floats are kept to the last bit": echoed(
    ...floats(Math.fround(0.1), largestFloat, -largestFloat, smallestFloat, 16_777_216),
  ),
  async "RT-0148 a number with more digits than a float arrives as the nearest float"(run) {
    const { call } = await run.serveConformance(echoing);
    await inTurn([0.1, 16_777_217, 1 / 3], async (floatValue) => {
      const answer = await call(echo, { values: { scalars: { floatValue } } });
      const rounded = { scalars: { floatValue: Math.fround(floatValue) } };
      expectMessage(EchoResponseSchema, answer, { values: rounded });
    });
  },
  "RT-0149 not-a-number and both infinities are values of doubles and floats": echoed(
    ...doubles(...special),
    ...floats(...special),
  ),
  "RT-0150 negative zero keeps its sign, alone, in a list and in a field with presence": echoed(
    ...doubles(-0),
    ...floats(-0),
    { lists: { fractions: [-0, 0] } },
    { presence: { fraction: -0 } },
  ),
  "RT-0151 bytes are kept, all 256 values and a quarter of a million of them": echoed(
    { scalars: { bytesValue: Uint8Array.from({ length: 256 }, (_, index) => index) } },
    { scalars: { bytesValue: new Uint8Array(1) } },
    { scalars: { bytesValue: new Uint8Array(262_144).fill(0xff) } },
  ),
  "RT-0152 text in a body is kept: beyond the basic plane, unnormalised, with control characters and quotes": echoed(
    ...texts("𝔘 👩‍👩‍👧‍👦", "Zoe\u0308", "\u0000\u0001\u001f\u007f", '\\"\\u0041\n\r\t', "\uFFFD\uFEFF"),
  ),
  async "RT-0153 text with half a surrogate pair is INVALID_ARGUMENT, and the next call succeeds"(run) {
    const { call } = await run.serveConformance(echoing);
    await inTurn(texts("\uD800", "a\uDC00b", "\uDE00\uD83D"), ({ scalars }) =>
      expectError(call(echo, { values: { scalars } }), "INVALID_ARGUMENT"),
    );
    await call(echo, { values: {} });
  },
  "RT-0154 each value of an enum is kept, also a negative one": echoed(
    ...[Colour.RED, Colour.GREEN, Colour.INFRA_RED, Colour.UNSPECIFIED].map((colour) => ({ scalars: { colour } })),
  ),
  "RT-0155 an unknown enum number is kept": echoed(
    { scalars: { colour: unnamed } },
    { lists: { colours: [Colour.RED, unnamed] } },
  ),
  "RT-0156 true and false are kept": echoed(
    { scalars: { boolValue: true } },
    { lists: { flags: [true, false, true] } },
  ),
});
