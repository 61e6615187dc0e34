// Processes that load the same modules look them up once.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Child } from "../src/processes/child.ts";

const processes = join(import.meta.dirname, "../src/processes");

/** A program that answers with what it has imported and required from a package, and later from another. */
async function folderWithPrograms(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "roundtrip-modules-"));
  const thing = join(folder, "node_modules/thing");
  await mkdir(thing, { recursive: true });
  await writeFile(join(thing, "package.json"), JSON.stringify({ name: "thing", main: "named.cjs" }));
  await writeFile(join(thing, "named.cjs"), "module.exports = 'named';");
  await writeFile(join(thing, "index.js"), "module.exports = 'found';");
  await writeFile(
    join(folder, "program.mjs"),
    `import { createRequire } from "node:module";
     import { answerRequests } from ${JSON.stringify(join(processes, "answer-requests.ts"))};
     import { keepLoadedModules } from ${JSON.stringify(join(processes, "answer-requests.ts"))};
     import imported from "thing";
     const require = createRequire(import.meta.url);
     const required = require("thing");
     keepLoadedModules();
     answerRequests((question) => question.ask === "stop" ? undefined : [imported, required, require("./later.cjs")]);`,
  );
  await writeFile(join(folder, "later.cjs"), "module.exports = require('thing/package.json').main;");
  return folder;
}

async function loadedBy(folder: string, loads: string): Promise<unknown> {
  const child = new Child({ file: join(folder, "program.mjs"), commandPrefix: [], label: "test", loads });
  try {
    return await child.ask({ ask: "cpu" });
  } finally {
    await child.stop();
  }
}

it("gets the paths of modules from an earlier process, and resolves those that it did not load", async () => {
  const folder = await folderWithPrograms();
  expect(await loadedBy(folder, folder)).toEqual(["named", "named", "named.cjs"]);
  // Whoever looks now finds another file; what is loaded after the start is always looked up.
  await writeFile(join(folder, "node_modules/thing/package.json"), JSON.stringify({ name: "thing", main: "index.js" }));
  expect(await loadedBy(folder, folder)).toEqual(["named", "named", "index.js"]);
  expect(await loadedBy(folder, `${folder} and more`)).toEqual(["found", "found", "index.js"]);
  await rm(folder, { recursive: true });
});
