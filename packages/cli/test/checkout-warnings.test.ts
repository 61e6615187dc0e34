// Warnings about two checkouts that ask for other runtimes, or have other libraries.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { checkoutWarnings } from "../src/compare/checkout-warnings.ts";
import { emptyFolder } from "./support/run-program.ts";

function checkout(files: Readonly<Record<string, unknown>>): string {
  const folder = emptyFolder();
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
  }
  return folder;
}

function project(node: string, express: string): string {
  return checkout({
    "package.json": { devDependencies: { node } },
    "packages/stacks/package.json": { dependencies: { express: "^5.0.0", absent: "^1.0.0" } },
    "packages/stacks/node_modules/express/package.json": { version: express },
  });
}

it("reports a runtime that head alone asks for as not compared", () => {
  expect(checkoutWarnings(project("24.1.0", "5.1.0"), project("26.0.0", "5.1.0"))).toEqual([
    {
      code: "runtime-not-compared",
      message: `base asks for Node.js 24.1.0 and head for 26.0.0: both ran on ${process.version.slice(1)}, so what another runtime costs is not in this comparison`,
    },
  ]);
});

it("libraries that are others are named with both versions", () => {
  expect(checkoutWarnings(project("24.1.0", "5.1.0"), project("24.1.0", "5.2.0"))).toEqual([
    { code: "libraries-differ", message: "libraries are part of what was compared: express 5.1.0 became 5.2.0" },
  ]);
});

it("reports nothing about checkouts that are alike or unreadable", () => {
  expect(checkoutWarnings(project("24.1.0", "5.1.0"), project("24.1.0", "5.1.0"))).toEqual([]);
  expect(checkoutWarnings(checkout({}), checkout({ "package.json": "{" }))).toEqual([]);
});
