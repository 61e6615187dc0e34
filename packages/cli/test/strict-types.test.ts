// Code that `types` writes compiles with the strictest options, and refuses what the contract lacks.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "./support/shared-program.ts";
import { node, project, shelfClient, userProject } from "./support/user-project.ts";

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

const wrong = `import { typedClient, type Client } from "@roundtrip/contract";
import { fakeHandlers } from "@roundtrip/fakes";
import { Shelf } from "./gen/index.ts";
declare const client: Client;
fakeHandlers(Shelf, { found: {} });
fakeHandlers(Shelf, { find: () => ({ title: 1 }) });
typedClient(Shelf, client).find({ titel: "" });
(await typedClient(Shelf, client).find({})).hall;
`;

it("generated types compile with the strictest options, and refuse what the contract lacks", async () => {
  const cwd = userProject();
  await run(["types", "--contract", "proto", "--out", "gen", "--imports", "ts"], { cwd });
  writeFileSync(join(cwd, "client.ts"), shelfClient);
  writeFileSync(join(cwd, "wrong.ts"), wrong);
  const options = { allowImportingTsExtensions: true, erasableSyntaxOnly: true, lib: ["es2024", "esnext"] };
  const config = { compilerOptions: { ...strict, ...options }, files: ["client.ts", "wrong.ts"] };
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify(config));
  const { output } = await node(cwd, join(project, "node_modules/typescript/bin/tsc"), "-p", ".");
  expect([...output.matchAll(/^(\S+)\((\d+),/gm)].map(([, file, line]) => `${file}:${line}`)).toEqual(
    [5, 6, 7, 8].map((line) => `wrong.ts:${line}`),
  );
});
