// Lists, maps, nested messages and unusual field names.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ConformanceService } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { Colour, TreeSchema } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import { casesIn } from "../../case/case.ts";
import { echoing, echoed } from "../../support/handlers.ts";
import { expectError, inTurn } from "../../case/expectations.ts";

const { echo } = ConformanceService.method;

function treeOf(levels: number): MessageInitShape<typeof TreeSchema> {
  let tree = create(TreeSchema, { label: "innermost" });
  for (let level = 1; level < levels; level++) tree = create(TreeSchema, { only: tree });
  return tree;
}

/** The cases RT-0171 to RT-0186. */
export const containerCases = casesIn("values", ["server"], {
  "RT-0171 empty lists and maps come back empty": echoed({ lists: { numbers: [] }, maps: { textByText: {} } }),
  "RT-0172 lists of every kind keep their items, order and duplicates": echoed({
    lists: {
      numbers: [3, 1, 1, -2],
      largeNumbers: [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n],
      fractions: [0.1, Number.NaN, Number.NEGATIVE_INFINITY],
      flags: [false, true],
      texts: ["b", "a", "a", "𝔘"],
      datas: [new Uint8Array([255]), new Uint8Array([1, 2])],
      colours: [Colour.GREEN, Colour.RED, Colour.GREEN, Colour.INFRA_RED],
      trees: [{ label: "oak" }, { label: "elm", branches: [{ label: "twig" }] }],
      times: [{ seconds: 1n }, { seconds: -1n, nanos: 1 }],
      wrappedTexts: ["w", "v"].map((value) => ({ value })),
    },
  }),
  "RT-0173 items that are zero or empty are kept": echoed({
    lists: {
      numbers: [0, 0],
      largeNumbers: [0n],
      fractions: [0],
      flags: [false, false],
      texts: ["", ""],
      datas: [new Uint8Array(), new Uint8Array()],
      trees: [{}, {}],
      times: [{}],
      wrappedTexts: [{ value: "" }, { value: "" }],
    },
  }),
  "RT-0174 the zero value of an enum is kept in a list": echoed({
    lists: { colours: [Colour.UNSPECIFIED, Colour.RED] },
  }),
  "RT-0175 a list of ten thousand items keeps them all, in order": echoed({
    lists: { numbers: Array.from({ length: 10_000 }, (_, index) => index) },
  }),
  "RT-0176 maps with every kind of key keep their entries": echoed({
    maps: {
      textByText: { a: "1", b: "2" },
      largeNumberByNumber: { [-(2 ** 31)]: 2n ** 63n - 1n, [2 ** 31 - 1]: -1n },
      colourByLargeNumber: { "-9223372036854775808": Colour.RED, "9223372036854775807": Colour.INFRA_RED },
      dataByLargeNumber: {
        "18446744073709551615": new Uint8Array([1, 2, 3]),
        "9007199254740993": new Uint8Array([4]),
      },
      fractionByFlag: { true: 0.5, false: Number.POSITIVE_INFINITY },
      treeByText: { oak: { label: "o", branches: [{}] } },
      durationByText: { short: { nanos: 1 }, long: { seconds: 3_600n } },
    },
  }),
  "RT-0177 keys and values of maps that are zero or empty are kept": echoed({
    maps: {
      textByText: { "": "" },
      largeNumberByNumber: { 0: 0n },
      dataByLargeNumber: { "0": new Uint8Array() },
      fractionByFlag: { false: 0 },
      treeByText: { "": {} },
      durationByText: { "": {} },
    },
  }),
  "RT-0178 any text can be a map key: quotes, dots, spaces, other alphabets, a hundred keys": echoed(
    {
      maps: {
        textByText: Object.fromEntries(
          [`"`, "a.b", "a b", " ", "日本", "𝔘", "a/b?c", "0", "-1", "true", "null", "$ref", "@type"].map((key) => [
            key,
            key,
          ]),
        ),
      },
    },
    {
      maps: {
        textByText: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key ${index}`, `${index}`])),
      },
    },
  ),
  "RT-0179 a map key that is special in JavaScript is kept": echoed({
    maps: {
      textByText: Object.fromEntries(
        ["__proto__", "constructor", "toString", "hasOwnProperty", "__typename"].map((key) => [key, "kept"]),
      ),
    },
  }),
  "RT-0180 a map entry with the zero value of an enum is kept": echoed({
    maps: { colourByLargeNumber: { "1": Colour.UNSPECIFIED } },
  }),
  "RT-0181 a recursive type is kept, with four levels and its branches": echoed({
    tree: {
      label: "root",
      only: { label: "1", only: { label: "2", only: { label: "3" } } },
      branches: [{ label: "a", branches: [{ label: "a.a" }, {}] }, { only: {} }, {}],
    },
  }),
  "RT-0182 messages nested 90 levels deep are kept": echoed({ tree: treeOf(90) }),
  async "RT-0183 messages nested more than 100 levels deep are INVALID_ARGUMENT, and the next call succeeds"(run) {
    const { call } = await run.serveConformance(echoing);
    await inTurn([101, 1_000], (levels) =>
      expectError(call(echo, { values: { tree: treeOf(levels) } }), "INVALID_ARGUMENT"),
    );
    await call(echo, { values: { tree: treeOf(2) } });
  },
  "RT-0184 fields whose names are special in a style or in JavaScript are kept": echoed({
    awkwardNames: {
      class: "1",
      constructor$: "2",
      toString$: "3",
      typeName: "4",
      with2Digits: "5",
      named: "6",
      id: "7",
      query: "8",
    },
  }),
  "RT-0185 a message with a value of every kind comes back complete": echoed({
    scalars: { int64Value: 1n, stringValue: "s", colour: Colour.RED },
    presence: { text: "" },
    lists: { texts: ["l"] },
    maps: { textByText: { k: "v" } },
    wellKnown: { time: { seconds: 1n } },
    wrappers: { boolValue: false },
    choice: { kind: { case: "flag", value: true } },
    tree: { label: "t" },
    awkwardNames: { id: "i" },
  }),
});
