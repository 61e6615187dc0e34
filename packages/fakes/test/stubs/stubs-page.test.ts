// Tests docs/stubs.md: stubs answer as its tables say, errors read as shown, and its programs run.
import type { JsonValue } from "@bufbuild/protobuf";
import { builtInContract, ServerCall } from "@roundtrip/contract";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createFake } from "../../src/fake/fake.ts";
import { operationNamed } from "../../src/basics/names.ts";
import { parseStubs } from "../../src/stubs/read-stubs.ts";
import { call, stream } from "./support/calls.ts";

const contract = builtInContract();
const project = fileURLToPath(new URL("../../../../", import.meta.url));
const page = await readFile(join(project, "docs/stubs.md"), "utf8");

/** A block of the page, with the table or the text after it. */
interface Block {
  readonly text: string;
  readonly rows: readonly (readonly [asked: string, answered: string])[];
  readonly said: string | undefined;
}

function blocksOf(language: string): readonly Block[] {
  const fence = new RegExp(
    `^\`\`\`${language}\n(.*?)^\`\`\`\n\n?((?:\\|[^\n]*\n)*)(?:\`\`\`text\n(.*?)\n\`\`\`)?`,
    "gms",
  );
  return [...page.matchAll(fence)].map(([, text = "", table = "", said]) => ({
    text,
    rows: [...table.matchAll(/^\| (`\w+ [^`]+`(?: with `[^`]+`)?) \| (.*) \|$/gm)].map(
      ([, asked = "", answered = ""]) => [asked, answered],
    ),
    said,
  }));
}

/** `{…} {…}` → the values. */
function jsonsIn(text: string): readonly JsonValue[] {
  return [...text.matchAll(/\{.*?\}(?=`| \{|$)/g)].map(([json]) => JSON.parse(json) as JsonValue);
}

/** The headers after a call or an answer: ` with \`name: value, …\``. */
function headersIn(text: string): ReadonlyMap<string, string> {
  const [, written = ""] = / with `([^`]+)`$/.exec(text) ?? [];
  return new Map(
    written
      .split(", ")
      .filter((one) => one !== "")
      .map((one) => one.split(": ") as [string, string]),
  );
}

/** The outcome in a row: answers and the error after them; undefined for made-up answers. */
function expectation(cell: string): readonly JsonValue[] | undefined {
  const answered = cell.replace(/ with `[^`]+`$/, "");
  if (answered === "made up") return undefined;
  const [error] = /[A-Z_]+: .*$/.exec(answered.replaceAll(/`[^`]*`/g, "")) ?? [];
  return [...jsonsIn(answered), ...(error === undefined ? [] : [error])];
}

const stubBlocks = blocksOf("yaml").filter(({ said }) => said === undefined);
const faultyBlocks = blocksOf("yaml").filter(({ said }) => said !== undefined);

it("has examples of all kinds", () => {
  for (const blocks of [stubBlocks, faultyBlocks, blocksOf("ts"), stubBlocks.flatMap(({ rows }) => rows)])
    expect(blocks.length).toBeGreaterThan(0);
});

describe.each(stubBlocks)("the stubs %#", ({ text, rows }) => {
  const stubs = parseStubs(text, "stubs.yaml", contract);
  const [fake, bare] = [createFake({ contract, stubs }), createFake({ contract })];

  it.each(rows)("answer %s with %s", async (asked, answered) => {
    const [, name = "", requests = ""] = /^`(\w+) ([^`]*`)/.exec(asked) ?? [];
    const { id, kind } = operationNamed(contract, name);
    const serverCall = new ServerCall(undefined, headersIn(asked));
    const outcomeOf = async ({ service }: typeof fake) =>
      kind === "unary"
        ? [await call(service, id, jsonsIn(requests)[0], serverCall)]
        : stream(service, id, jsonsIn(requests));
    expect(await outcomeOf(fake)).toEqual(expectation(answered) ?? (await outcomeOf(bare)));
    expect(new Map(serverCall.answerMetadata)).toEqual(headersIn(answered));
  });
});

it.each(faultyBlocks)("reports the error $said", ({ text, said }) => {
  expect(() => parseStubs(text, "stubs.yaml", contract)).toThrow(said);
});

it("has programs that run", async () => {
  const folder = await mkdtemp(join(tmpdir(), "roundtrip-page-"));
  await symlink(fileURLToPath(new URL("../../../cli/node_modules", import.meta.url)), join(folder, "node_modules"));
  const outputs = await Promise.all(
    blocksOf("ts").map(async ({ text }, index) => {
      const path = join(folder, `example-${index}.ts`);
      await writeFile(path, text);
      return promisify(execFile)(process.execPath, [path], { cwd: folder });
    }),
  );
  expect(outputs.map(({ stdout, stderr }) => stdout + stderr)).toEqual(outputs.map(() => ""));
});
