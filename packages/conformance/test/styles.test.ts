// The package names no style, so a new style changes nothing in it.
import { loadStyle, misuseTitles, styleNames } from "@roundtrip/styles";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { conformanceCases } from "../src/index.ts";

const folder = join(import.meta.dirname, "..", "src");
const sources = globSync("**/*.ts", { cwd: folder, exclude: ["gen/**"] });
const styles = await Promise.all(styleNames().map(loadStyle));

it.each(styles.filter(({ role }) => role === "style").map(({ name }) => name))("no source names %s", (name) => {
  // Reserved names of metadata, such as grpc-timeout, are reserved in every style.
  // `connect` is a word of code, too.
  const named =
    name === "connect" ? /style[^\n]*["'`]connect["'`]/ : new RegExp(String.raw`\b${name}(?!-timeout|-status)`, "i");
  expect(sources.length).toBeGreaterThan(27);
  expect(sources.filter((path) => named.test(readFileSync(join(folder, path), "utf8")))).toEqual([]);
});

it("each misuse has one case", () => {
  expect(conformanceCases.filter(({ area }) => area === "misuse")).toHaveLength(Object.keys(misuseTitles).length);
});
