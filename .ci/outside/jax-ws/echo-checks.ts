// Values that come back as they were sent. Integers that JavaScript would round are text.
import { isDeepStrictEqual } from "node:util";
import { demand, type Checks } from "../checks.ts";
import type { Outcome } from "./java-client.ts";
import type { Values } from "../soap-checks.ts";

export interface EchoCaller {
  readonly echo: (values: Values) => Promise<Outcome>;
  readonly operations: readonly string[];
}

function tree(depth: number): Values {
  return depth === 0 ? { label: "leaf" } : { label: String(depth), only: tree(depth - 1) };
}

const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index)).toString("base64");

const echoes: Readonly<Record<string, readonly Values[]>> = {
  "scalars are kept, from the least to the greatest": [
    {
      scalars: {
        double_value: 0.1 + 0.2,
        float_value: 16_777_216,
        int32_value: -(2 ** 31),
        int64_value: "-9223372036854775808",
        uint32_value: 2 ** 32 - 1,
        uint64_value: "18446744073709551615",
        sint32_value: 2 ** 31 - 1,
        sint64_value: "9223372036854775807",
        fixed32_value: 1,
        fixed64_value: "9007199254740993",
        sfixed32_value: -1,
        sfixed64_value: -1,
        bool_value: true,
        string_value: " é 𝔘 \t\r\n<&>",
        bytes_value: bytes,
        colour: "COLOUR_INFRA_RED",
      },
    },
    { scalars: { double_value: "NaN", float_value: "Infinity" } },
    { scalars: { double_value: "-Infinity" } },
  ],
  "zero and empty values are present, and absent ones absent": [
    { presence: { number: 0, fraction: 0, flag: false, colour: "COLOUR_UNSPECIFIED" } },
    { presence: { flag: false } },
  ],
  "lists are kept in their order": [
    {
      lists: {
        numbers: [3, 0, -1],
        large_numbers: ["4611686018427387904"],
        fractions: [0.5, 0.25],
        flags: [true, false],
        texts: ["b", "a"],
        datas: ["AA==", "/w=="],
        colours: ["COLOUR_RED", "COLOUR_GREEN"],
        trees: [{ label: "a" }, { label: "b" }],
        wrapped_texts: ["x", "y"],
      },
    },
  ],
  "maps are lists of entries": [
    {
      maps: {
        text_by_text: [
          { key: "a", value: "b" },
          { key: "__proto__", value: "c" },
        ],
        large_number_by_number: [{ key: -1, value: 2 ** 40 }],
        colour_by_large_number: [{ key: "1152921504606846976", value: "COLOUR_RED" }],
        data_by_large_number: [{ key: 1, value: "AAE=" }],
        fraction_by_flag: [{ key: true, value: 0.5 }],
        tree_by_text: [{ key: "t", value: { label: "oak" } }],
        duration_by_text: [{ key: "d", value: "PT86400.000001S" }],
      },
    },
  ],
  "times, durations, masks and wrappers are kept": [
    {
      well_known: {
        time: "2026-01-31T12:30:15.123456Z",
        duration: "-PT129600.000001S",
        mask: { paths: ["a.b_c", "d"] },
      },
    },
    { wrappers: { int64_value: "4611686018427387904", bool_value: false, string_value: "x" } },
  ],
  "one member of a oneof is kept, and untyped values with it": [
    { well_known: { value: { number_value: 1.5 } } },
    { well_known: { struct: { fields: [{ key: "a", value: { list_value: { values: [{ string_value: "b" }] } } }] } } },
  ],
  "a recursive type is kept, fifty levels deep": [{ tree: tree(50) }],
};

export const echoChecks: Checks<EchoCaller> = {
  ...Object.fromEntries(
    Object.entries(echoes).map(([about, all]) => [
      about,
      async ({ echo }: EchoCaller) => {
        for (const values of all) {
          // oxlint-disable-next-line no-await-in-loop -- the program answers in order
          const outcome = await echo(values);
          demand(isDeepStrictEqual(outcome, { answer: { values } }), outcome);
        }
      },
    ]),
  ),
  async "operations with streams are not in the WSDL"({ operations }) {
    const names = operations.map((name) => name.split(".").at(-1));
    demand(isDeepStrictEqual(names, ["Echo", "Look", "PutTree"]), names);
  },
};
