// `types`: code for somebody else's contract that compiles with the strictest options, and calls every style through one interface.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { findBuf } from "../src/contract/run-buf.ts";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { book, node, project, userProject, type Ended } from "./support/user-project.ts";

const strict = {
  target: "es2024",
  module: "nodenext",
  types: ["node"],
  typeRoots: [join(project, "node_modules/@types")],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
};

/** Compiles the user's sources. */
async function typeCheck(cwd: string, options: object, files: readonly string[]): Promise<Ended> {
  const compilerOptions = { ...strict, ...options };
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  return node(cwd, join(project, "node_modules/typescript/bin/tsc"), "-p", ".");
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

const client = `import { contractOfServices, typedClient } from "@roundtrip/contract";
import { fakeHandlers, startFake } from "@roundtrip/fakes";
import { Shelf } from "./gen/index.ts";
import { Cover } from "./gen/shelf/v1/book_pb.ts";

const handlers = fakeHandlers(Shelf, {
  find: ({ title, edition }) => ({ title: \`\${title}, \${edition}\`, cover: Cover.HARD, where: { case: "box", value: 7 } }),
  list: [{ title: "one" }, { title: "two", pagesByChapter: { Preface: 3 } }],
});
await using fake = await startFake(contractOfServices(Shelf), { handlers });
const answers: unknown[] = [];
for (const style of ["grpc-js", "rest-express", "graphql-apollo", "memory"]) {
  const shelf = typedClient(Shelf, await fake.connect(style));
  const found = await shelf.find({ title: "Emma", edition: 2n });
  const listed: string[] = [];
  for await (const { title, pagesByChapter } of shelf.list({ title: "" })) listed.push(title, JSON.stringify(pagesByChapter));
  answers.push({ title: found.title, cover: found.cover, box: found.where.case === "box" ? found.where.value : undefined, listed });
}
console.log(JSON.stringify(answers));
`;

const wrong = `import { typedClient, type Client } from "@roundtrip/contract";
import { fakeHandlers } from "@roundtrip/fakes";
import { Shelf } from "./gen/index.ts";
declare const client: Client;
fakeHandlers(Shelf, { found: {} });
fakeHandlers(Shelf, { find: () => ({ title: 1 }) });
typedClient(Shelf, client).find({ titel: "" });
(await typedClient(Shelf, client).find({})).hall;
`;

describe("generated types", () => {
  it("compile with the strictest options, type clients and handlers of every style, and refuse what the contract lacks", async () => {
    const cwd = userProject();
    const { status, stderr, stdout } = await run(["types", "--contract", "proto", "--out", "gen", "--imports", "ts"], {
      cwd,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.trimEnd().split("\n").toSorted()).toEqual(filesBelow(join(cwd, "gen")).map((name) => `gen/${name}`));
    expect(readFileSync(join(cwd, "gen", "index.ts"), "utf8")).toContain(
      'export { Shelf } from "./shelf/v1/shelf_pb.ts";\n',
    );
    writeFileSync(join(cwd, "client.ts"), client);
    const options = { allowImportingTsExtensions: true, erasableSyntaxOnly: true, lib: ["es2024", "esnext"] };
    writeFileSync(join(cwd, "wrong.ts"), wrong);
    const [checked, ran] = await Promise.all([
      typeCheck(cwd, options, ["client.ts", "wrong.ts"]),
      node(cwd, "client.ts"),
    ]);
    expect([...checked.output.matchAll(/^(\S+)\((\d+),/gm)].map(([, file, line]) => `${file}:${line}`)).toEqual(
      [5, 6, 7, 8].map((line) => `wrong.ts:${line}`),
    );
    const answer = { title: "Emma, 2", cover: 1, box: 7, listed: ["one", "{}", "two", '{"Preface":3}'] };
    expect(ran.output.trim()).toBe(JSON.stringify([answer, answer, answer, answer]));
  });
});

it("give members a name of their own that TypeScript would call the same, and nothing that is sent is lost", async () => {
  const cwd = userProject();
  const message =
    "message Ask {\n  optional string foo_bar = 1;\n  optional string fooBar = 2;\n  optional Ask ask = 3;\n}\n";
  const service = "service Asker {\n  rpc Say(Ask) returns (Ask);\n  rpc say(Ask) returns (Ask);\n}\n";
  writeFileSync(join(cwd, "ask.proto"), `syntax = "proto2";\npackage ask.v1;\n${service}${message}`);
  const flags = ["types", "--contract", "ask.proto", "--out", "gen", "--imports", "ts"];
  const { status, stderr } = await run(flags, { cwd });
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: [
      "ask.v1.Ask: fooBar is generated as fooBar_2, because TypeScript has one name for it and another\n",
      "ask.v1.Asker: say is generated as say$, because TypeScript has one name for it and another\n",
    ].join(""),
  });
  const script = `import { contractFromImage, typedClient } from "@roundtrip/contract";
import { fakeHandlers, startFake } from "@roundtrip/fakes";
import { readFileSync } from "node:fs";
import { Asker } from "./gen/index.ts";
const handlers = fakeHandlers(Asker, { say$: ({ fooBar, fooBar2 }) => ({ fooBar: fooBar2, fooBar2: fooBar }) });
await using fake = await startFake(contractFromImage(readFileSync("ask.binpb")), { handlers });
for (const style of ["grpc-js", "rest-express", "graphql-apollo"]) {
  const { fooBar, fooBar2 } = await typedClient(Asker, await fake.connect(style)).say$({ fooBar: "one", fooBar2: "two" });
  console.log(fooBar, fooBar2);
}
`;
  writeFileSync(join(cwd, "script.ts"), script);
  const [buf, ...first] = findBuf();
  execFileSync(buf, [...first, "build", "ask.proto", "-o", "ask.binpb"], { cwd });
  expect(await node(cwd, "script.ts")).toEqual({ status: 0, output: "two one\ntwo one\ntwo one\n" });
});

describe("a folder of types", () => {
  const flags = ["types", "--contract", "proto", "--out", "gen"];

  it("is up to date until the contract changes; stale files are removed, and other files stay", async () => {
    const cwd = userProject();
    const missing = await run([...flags, "--check"], { cwd });
    expect(missing).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^roundtrip: gen\/.* and 4 more: not up to date; run the same without --check\n$/),
    });
    await run(flags, { cwd });
    const current = { status: 0, stdout: "gen is up to date\n", stderr: "" };
    expect(await run([...flags, "--check"], { cwd })).toEqual(current);

    writeFileSync(join(cwd, "gen", "notes.ts"), "// mine\n");
    mkdirSync(join(cwd, "gen", "old"));
    writeFileSync(join(cwd, "gen", "old", "gone_pb.ts"), "// @generated by protoc-gen-es v2\n");
    writeFileSync(join(cwd, "gen", "old", "mine_pb.ts"), "// mine\n");
    writeFileSync(join(cwd, "proto", "shelf", "v1", "book.proto"), book.replace("hall = 4", "aisle = 4"));
    const drifted = await run([...flags, "--check", "--json"], { cwd });
    expect({ status: drifted.status, drift: JSON.parse(drifted.stdout) as unknown }).toEqual({
      status: 1,
      drift: { changed: ["gen/shelf/v1/book_pb.ts"], stale: ["gen/old/gone_pb.ts"] },
    });
    expect((await run(flags, { cwd })).stdout).toBe("gen/shelf/v1/book_pb.ts\ngen/old/gone_pb.ts removed\n");
    expect(filesBelow(join(cwd, "gen")).filter((name) => !name.startsWith("google"))).toEqual([
      "index.ts",
      "notes.ts",
      "old/mine_pb.ts",
      "shelf/v1/book_pb.ts",
      "shelf/v1/shelf_pb.ts",
    ]);
  });

  it("does not overwrite files that were not generated", async () => {
    const cwd = userProject();
    mkdirSync(join(cwd, "gen"));
    writeFileSync(join(cwd, "gen", "index.ts"), "export {};\n");
    const { status, stderr } = await run(flags, { cwd });
    expect({ status, stderr }).toEqual({
      status: 64,
      stderr: "roundtrip: gen/index.ts is in the way, and was not generated; choose another --out\n",
    });
    expect(filesBelow(join(cwd, "gen"))).toEqual(["index.ts"]);
  });

  it("holds all that is written, whatever a descriptor set calls its files", async () => {
    const cwd = emptyFolder();
    const service = { name: "S", method: [{ name: "M", inputType: ".E", outputType: ".E" }] };
    const file = [{ name: "../../x.proto", syntax: "proto3", messageType: [{ name: "E" }], service: [service] }];
    writeFileSync(join(cwd, "set.binpb"), toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })));
    const { status, stderr } = await run(["types", "--contract", "set.binpb", "--out", "gen"], { cwd });
    expect({ status, stderr }).toEqual({
      status: 64,
      stderr: "roundtrip: the contract has a file whose types would lie outside of gen: ../../x_pb.ts\n",
    });
    expect(readdirSync(dirname(dirname(cwd)))).not.toContain("x_pb.ts");
  });
});

it.each([
  [["types"], "--out is missing: the directory where the types go"],
  [
    ["types", "--out", "gen", "--language", "js", "--imports", "ts"],
    "--imports ts is for --language ts: JavaScript imports .js",
  ],
  [["types", "--out", "gen", "--language", "rust"], /^roundtrip: --language must be one of ts, js, got "rust" /],
  [["types", "--out", "gen", "--contract", "nowhere"], /^roundtrip: there is no contract at nowhere/],
])("%j is wrong usage, reported in one line", async (args, text) => {
  const { status, stderr } = await run(args, { cwd: emptyFolder() });
  expect(status).toBe(64);
  expect(stderr).toMatch(text);
  expect(stderr.trimEnd()).not.toContain("\n");
});
