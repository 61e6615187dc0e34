// A Node.js that is too old is refused with its version, rather than by what it lacks.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { oldestNode, oldNodeFault } from "../bin/old-node.js";

it.each(["20.20.2", "22.18.9", "18.0.0"])("Node.js %s is too old, and what to do is said in a line", (version) => {
  expect(oldNodeFault(version)).toMatch(
    /^roundtrip requires Node\.js 22\.19 or later, this is [\d.]+: npm install .+$/,
  );
});

it.each(["22.19.0", "22.20.1", "24.0.0", process.versions.node])("Node.js %s will do", (version) => {
  expect(oldNodeFault(version)).toBeUndefined();
});

it("asks for what the package asks for", () => {
  const path = fileURLToPath(new URL("../package.json", import.meta.url));
  const { engines } = JSON.parse(readFileSync(path, "utf8")) as { readonly engines: { readonly node: string } };
  expect(engines.node).toBe(`>=${oldestNode}`);
});
