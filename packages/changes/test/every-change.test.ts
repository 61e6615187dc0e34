// `check`: the table of changes of a contract. Callers from before call servers from after in each style: what fails is called a break, and nothing else is.
// Verdicts are those of the table for all rows; a fifth of them, new with each commit, are tried by calls, and all in the project `full`.
import { shareOf } from "../../../.ci/seed-properties.ts";
import { type ChangeVerdict, checkContracts, loadJudge, type StyleJudge } from "../src/index.ts";
import { compileVariants } from "./support/compile-text.ts";
import { changedAttributes, everyAttribute } from "./support/rows/changed-attributes.ts";
import { triedStyles, type TriedStyle, Experiment } from "./support/rows/exchange.ts";
import { afterOf, allows, beforeOf, everyRow, fileOf, probesOf, type Row, worstOn } from "./support/rows/row.ts";
import type { Contract } from "@roundtrip/contract";
import { describe, expect, it } from "vitest";

const judges = new Map<TriedStyle, StyleJudge>();
for (const style of triedStyles) judges.set(style, await loadJudge(style));
const sourceFile = "z.proto";
const rows = everyRow();
const texts = rows.flatMap(([, row]) => [beforeOf(row), afterOf(row)]);
const compiled = await compileVariants(texts.map((text) => ({ [sourceFile]: fileOf(text) })));
const contracts = new Map<Row, readonly [before: Contract, after: Contract]>();
for (const [index, [, row]] of rows.entries())
  contracts.set(row, [compiled[2 * index] as Contract, compiled[2 * index + 1] as Contract]);

const columns = [
  ...triedStyles.map((style) => ({ name: "Send", direction: "sent", style }) as const),
  { name: "Ask", direction: "sent", style: "rest" } as const,
  ...triedStyles.map((style) => ({ name: "Receive", direction: "received", style }) as const),
];

/** Attributes that no caller can notice, or that no contract can have, with the reason. */
const ofNoCaller: readonly (readonly [reason: string, names: RegExp])[] = [
  [
    "a compiler has resolved it, or left it in the source",
    /^(UninterpretedOption|NamePart|Location|SourceCodeInfo)\.|\.uninterpreted_option$/,
  ],
  [
    "of definitions of options and features, which are compiled",
    /^(EditionDefault|FeatureSupport)\.|^FieldOptions\.(retention|targets|edition_defaults)$/,
  ],
  [
    "which files and names a file may use",
    /\.(public|weak|option)_dependency$|\.visibility$|^FeatureSet\.(enforce_|default_symbol_)/,
  ],
  ["of extensions that another file declares, which a compiler compares", /^Declaration\./],
  [
    "deprecated, and read by no compiler of today",
    /^FieldOptions\.(weak|unverified_lazy)$|\.java_(generate_equals_and_hash|string_check_utf8)$/,
  ],
  ["allows names that differ in case only", /\.deprecated_legacy_json_field_conflicts$/],
  ["a contract that has it is refused", /^MessageOptions\.message_set_wire_format$/],
  ["a map's entry has it, which is a list of another type otherwise", /^MessageOptions\.map_entry$/],
  ["an annotation names its method by its place", /^HttpRule\.selector$/],
];

function isOfNoCaller(name: string): boolean {
  return ofNoCaller.some(([, names]) => names.test(name));
}

const initials: Readonly<Record<ChangeVerdict, string>> = { safe: "S", "may break": "M", breaks: "B" };

/** The verdict of `check` on what one operation carries, where other operations of the contract stay for the routes. */
function judged(pair: readonly [Contract, Contract], name: string, style: TriedStyle): ChangeVerdict {
  const judge = judges.get(style);
  if (judge === undefined) throw new Error(`${style} is not loaded`);
  const isTable = pair[0].operations.some((operation) => operation.method.name === "Ask");
  const carrying = (contract: Contract): Contract => ({
    ...contract,
    operations: contract.operations.filter(({ method }) => !isTable || method.name === name),
  });
  return worstOn(checkContracts(carrying(pair[0]), carrying(pair[1]), [judge]), style);
}

it("of every attribute of a descriptor is in the table", () => {
  const changed = new Set<string>();
  for (const [before, after] of contracts.values())
    for (const name of changedAttributes(before, after, `shop/${sourceFile}`)) changed.add(name);
  const missing = [...everyAttribute()].filter((name) => !changed.has(name) && !isOfNoCaller(name));
  expect(missing).toEqual([]);
});

const tried = new Set(shareOf(rows).map(([, row]) => row));

describe.concurrent("a change", () => {
  it.each(rows)("%s", async (title, row) => {
    const pair = contracts.get(row);
    if (pair === undefined) throw new Error(`${title} is not compiled`);
    const [before, after] = pair;
    const verdicts = new Map<number, string>();
    const wrong: string[] = [];
    for (const style of triedStyles) {
      // oxlint-disable-next-line no-await-in-loop
      await using experiment = tried.has(row)
        ? await Experiment.open({ style, before, after, moved: row.moved })
        : undefined;
      for (const [index, { name, direction, style: of }] of columns.entries()) {
        const probes = probesOf(row, direction);
        const named = before.operations.find(({ method }) => method.name === name);
        const operation = named ?? before.operations.find(({ method }) => method.name === "Send" && name !== "Ask");
        if (probes.values.length + probes.edges.length === 0) continue;
        if (of !== style || operation === undefined) continue;
        const verdict = judged(pair, operation.method.name, style);
        verdicts.set(index, initials[verdict]);
        // oxlint-disable-next-line no-await-in-loop
        const found = await experiment?.decide(operation, direction, probes);
        if (found !== undefined && !allows(found.verdict, verdict) && !row.specified.includes(style))
          wrong.push(`${style}, ${direction}: ${verdict}, but ${found.verdict}: ${found.why ?? "every call works"}`);
      }
    }
    const line = columns.map((_, index) => verdicts.get(index) ?? "").join("");
    expect([line, ...wrong].join("\n")).toBe(row.verdicts);
  });
});
