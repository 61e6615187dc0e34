// Values of a contract as XML: every value comes back, and text that is not of its type is refused.
import { create, equals, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";
import { randomCases } from "../../../.ci/seed-properties.ts";
import { Colour, ValuesSchema } from "../../conformance/src/gen/roundtrip/conformance/v1/values_pb.ts";
import * as fc from "fast-check";
import type { SaxesTagNS } from "saxes";
import { describe, expect, test } from "vitest";
import { packageNamespace } from "../src/soap/schema/names.ts";
import { messageFrame } from "../src/soap/values/message-reader.ts";
import { messageWriter } from "../src/soap/values/message-writer.ts";
import { durationForm, timeForm } from "../src/soap/values/time-forms.ts";
import { readXml, type Frame, isXmlText } from "../src/soap/xml.ts";

const write = messageWriter(ValuesSchema);

/** Reads the elements of a message in a root element. */
function read(elements: string): unknown {
  let found: unknown;
  const document: Frame = {
    step: "",
    open: (_tag: SaxesTagNS) => messageFrame(ValuesSchema, "refused"),
    text: () => undefined,
    close: () => undefined,
    closed: (value) => void (found = value),
  };
  readXml(Buffer.from(`<r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${elements}</r>`), document);
  return found;
}

function errorOf(elements: string): CallError {
  try {
    read(elements);
  } catch (thrown) {
    if (thrown instanceof CallError) return thrown;
    throw thrown;
  }
  throw new Error("it was read");
}

const text = fc.string({ unit: "binary" }).filter(isXmlText);
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const colour = fc.constantFrom(Colour.UNSPECIFIED, Colour.RED, Colour.INFRA_RED);
const seconds = fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n });
const nanos = fc.integer({ min: 0, max: 999_999_999 });
const optional = { requiredKeys: [] };

const values: fc.Arbitrary<MessageInitShape<typeof ValuesSchema>> = fc.record(
  {
    scalars: fc.record(
      {
        doubleValue: fc.double(),
        floatValue: fc.float(),
        int32Value: int32,
        int64Value: int64,
        uint32Value: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        uint64Value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        boolValue: fc.boolean(),
        stringValue: text,
        bytesValue: fc.uint8Array(),
        colour,
      },
      optional,
    ),
    presence: fc.record(
      { number: int32, fraction: fc.double(), flag: fc.boolean(), text, data: fc.uint8Array() },
      optional,
    ),
    lists: fc.record({
      numbers: fc.array(int32),
      fractions: fc.array(fc.double()),
      texts: fc.array(text),
      datas: fc.array(fc.uint8Array()),
      colours: fc.array(colour),
      times: fc.array(fc.record({ seconds, nanos })),
      wrappedTexts: fc.array(fc.record({ value: text })),
    }),
    maps: fc.record({
      textByText: fc.dictionary(text, text),
      largeNumberByNumber: fc.dictionary(int32.map(String), int64),
      fractionByFlag: fc.dictionary(fc.constantFrom("true", "false"), fc.double()),
      treeByText: fc.dictionary(text, fc.record({ label: text })),
    }),
    wellKnown: fc.record(
      {
        time: fc.record({ seconds, nanos }),
        duration: fc.record({ seconds: fc.bigInt({ min: 0n, max: 315_576_000_000n }), nanos }),
        mask: fc.record({ paths: fc.array(text) }),
        any: fc.record({ typeUrl: text, value: fc.uint8Array() }),
        struct: fc.dictionary(text, fc.jsonValue({ stringUnit: "grapheme-ascii" })),
        empty: fc.constant({}),
      },
      optional,
    ) as fc.Arbitrary<NonNullable<MessageInitShape<typeof ValuesSchema>["wellKnown"]>>,
    wrappers: fc.record(
      { doubleValue: fc.double(), int64Value: int64, boolValue: fc.boolean(), stringValue: text },
      optional,
    ),
    choice: fc.oneof(
      fc.record({ kind: fc.record({ case: fc.constant("text" as const), value: text }) }),
      fc.record({ kind: fc.record({ case: fc.constant("flag" as const), value: fc.boolean() }) }),
    ),
  },
  optional,
);

test("every message comes back as it was written", () => {
  fc.assert(
    fc.property(values, (given) => {
      const message = create(ValuesSchema, given);
      const back = read(write(message, 1)) as typeof message;
      // Compared as bytes, because not-a-number equals nothing.
      expect(toBinary(ValuesSchema, back)).toEqual(toBinary(ValuesSchema, message));
    }),
    { numRuns: randomCases(300) },
  );
});

test("a float is written as the shortest text that is read as it", () => {
  const texts = [2.9, 0.1, 1e-45].map((value) => write(create(ValuesSchema, { scalars: { floatValue: value } }), 1));
  expect(texts.map((xml) => /float_value>([^<]+)/.exec(xml)?.[1])).toEqual(["2.9", "0.1", "1e-45"]);
});

describe("a value may be spelled as its type allows", () => {
  test.each([
    ["<scalars><int32_value> +007 </int32_value></scalars>", { scalars: { int32Value: 7 } }],
    ["<scalars><bool_value>1</bool_value></scalars>", { scalars: { boolValue: true } }],
    ["<scalars><double_value>-.5e1</double_value></scalars>", { scalars: { doubleValue: -5 } }],
    ["<scalars><float_value>INF</float_value></scalars>", { scalars: { floatValue: Number.POSITIVE_INFINITY } }],
    ["<scalars><bytes_value> AA\nEC </bytes_value></scalars>", { scalars: { bytesValue: Uint8Array.of(0, 1, 2) } }],
    ["<scalars><string_value> a </string_value></scalars>", { scalars: { stringValue: " a " } }],
    ["<scalars><colour> COLOUR_RED </colour></scalars>", { scalars: { colour: Colour.RED } }],
    ['<wrappers><int64_value xsi:nil="true"/></wrappers>', { wrappers: {} }],
    ["<wrappers><string_value/></wrappers>", { wrappers: { stringValue: "" } }],
    ["<maps><text_by_text/></maps>", { maps: { textByText: { "": "" } } }],
    [
      "<maps><large_number_by_number><key>1</key></large_number_by_number></maps>",
      { maps: { largeNumberByNumber: { 1: 0n } } },
    ],
  ] as const)("%s", (elements, expected) => {
    expect(equals(ValuesSchema, read(elements) as never, create(ValuesSchema, expected))).toBe(true);
  });
});

describe("a value that is not of its type is INVALID_ARGUMENT, and the error names the field", () => {
  test.each([
    ["<scalars><int32_value>2147483648</int32_value></scalars>", "scalars.int32_value"],
    ["<scalars><int32_value>1.0</int32_value></scalars>", "scalars.int32_value"],
    ["<scalars><int32_value/></scalars>", "scalars.int32_value"],
    ["<scalars><uint64_value>-1</uint64_value></scalars>", "scalars.uint64_value"],
    [`<scalars><uint64_value>${"9".repeat(100_000)}</uint64_value></scalars>`, "scalars.uint64_value"],
    ["<scalars><double_value>Infinity</double_value></scalars>", "scalars.double_value"],
    ["<scalars><double_value>1e400</double_value></scalars>", "scalars.double_value"],
    ["<scalars><double_value>0x10</double_value></scalars>", "scalars.double_value"],
    ["<scalars><bool_value>TRUE</bool_value></scalars>", "scalars.bool_value"],
    ["<scalars><bytes_value>AA</bytes_value></scalars>", "scalars.bytes_value"],
    ["<scalars><bytes_value>-_==</bytes_value></scalars>", "scalars.bytes_value"],
    ["<scalars><colour>COLOUR_PINK</colour></scalars>", "scalars.colour"],
    ["<scalars><colour>1</colour></scalars>", "scalars.colour"],
    ['<scalars xsi:nil="true"/>', "scalars"],
    ["<scalars>text</scalars>", "scalars"],
    ["<presence><text>a<b/></text></presence>", "presence.text"],
    ["<tree><label>a</label><only><label/><label/></only></tree>", "tree.only.label"],
    ["<presence/><scalars/>", "scalars"],
    ["<maps><text_by_text><value/><key/></text_by_text></maps>", "maps.text_by_text"],
    ["<choice><text>a</text><flag>true</flag></choice>", "choice.flag"],
    ["<nonsense/>", "nonsense"],
  ])("%s", (elements, field) => {
    const { code, details } = errorOf(elements);
    expect([code, details.violations.map((violation) => violation.field)]).toEqual(["INVALID_ARGUMENT", [field]]);
  });
});

function treeOf(levels: number): string {
  return `<tree>${"<only>".repeat(levels)}${"</only>".repeat(levels)}</tree>`;
}

test("messages nest 100 levels, and no more", () => {
  expect(() => read(treeOf(98))).not.toThrow();
  expect(errorOf(treeOf(99)).code).toBe("INVALID_ARGUMENT");
});

describe("a time", () => {
  test.each([
    ["2026-01-31T12:30:15Z", 1_769_862_615n, 0],
    ["2026-01-31T12:30:15.000000001Z", 1_769_862_615n, 1],
    ["2026-01-31T13:30:15.5+01:00", 1_769_862_615n, 500_000_000],
    ["1969-12-31T23:59:59.75Z", -1n, 750_000_000],
    ["0001-01-01T00:00:00Z", -62_135_596_800n, 0],
  ])("%s is read exactly", (spelled, wholeSeconds, fraction) => {
    expect(timeForm.read(` ${spelled} `)).toEqual(create(TimestampSchema, { seconds: wholeSeconds, nanos: fraction }));
  });

  test.each([
    "2026-01-31T12:30:15",
    "2026-02-30T12:30:15Z",
    "2026-01-31T24:00:00Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "2026-01-31T12:30:15.0000000001Z",
    "-2026-01-31T12:30:15Z",
    "12026-01-31T12:30:15Z",
    "2026-01-31",
  ])("cannot be %s", (spelled) => {
    expect(() => timeForm.read(spelled)).toThrow("xs:dateTime");
  });

  test("outside the years 1 to 9999 cannot be written", () => {
    expect(() => timeForm.write(create(TimestampSchema, { seconds: 253_402_300_800n }))).toThrow("9999");
    expect(() => timeForm.write(create(TimestampSchema, { nanos: 1_000_000_000 }))).toThrow("nanos");
  });
});

describe("a duration", () => {
  test.each([
    ["PT0S", 0n, 0],
    ["-PT0.5S", 0n, -500_000_000],
    ["P1DT2H3M4.25S", 93_784n, 250_000_000],
    ["P2D", 172_800n, 0],
    ["-P1DT1S", -86_401n, 0],
    ["PT315576000000S", 315_576_000_000n, 0],
  ])("%s is read exactly", (spelled, wholeSeconds, fraction) => {
    expect(durationForm.read(spelled)).toEqual(create(DurationSchema, { seconds: wholeSeconds, nanos: fraction }));
  });

  test.each([
    "P1Y",
    "P1M",
    "P1W",
    "P",
    "PT",
    "P1DT",
    "1S",
    "+PT1S",
    "PT1.S",
    "PT0.0000000001S",
    "PT315576000001S",
    "PT-1S",
  ])("cannot be %s", (spelled) => {
    expect(() => durationForm.read(spelled)).toThrow("xs:duration");
  });

  test("whose parts have different signs cannot be written", () => {
    expect(() => durationForm.write(create(DurationSchema, { seconds: 1n, nanos: -1 }))).toThrow("sign");
  });
});

test("a document is read whatever the one before it was", () => {
  const good = "<scalars><int32_value>1</int32_value></scalars>";
  for (const bad of ["<scalars><int32_value>", "<scalars>&nbsp;</scalars>", "<nonsense a='b'/>", "<scalars a='<'/>"]) {
    expect(errorOf(bad).code).toBe("INVALID_ARGUMENT");
    expect(read(good)).toMatchObject({ scalars: { int32Value: 1 } });
  }
});

// Tools of other languages make names of their own of those in a WSDL.
test("versions of a package have namespaces that differ without what follows a last dot, which tools for Java remove", () => {
  const names = ["shop.v1", "shop.v2", "shop", ""].map(packageNamespace);
  expect(names.slice(0, 2)).toEqual(["urn:protobuf:package:shop:v1", "urn:protobuf:package:shop:v2"]);
  expect(new Set(names.map((name) => name.replace(/\.[^.]*$/, ""))).size).toBe(names.length);
});
