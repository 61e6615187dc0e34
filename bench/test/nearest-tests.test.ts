// The order of tests for a changed file.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { nearestFirst } from "../mutants/nearest-tests.ts";

const root = mkdtempSync(join(tmpdir(), "roundtrip-nearest-"));

function write(path: string, ...names: readonly string[]): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), names.map((name) => `import ${JSON.stringify(name)};\n`).join(""));
  return path;
}

write("p/src/deep/loss-check.ts");
write("p/src/link.ts", "./deep/loss-check.ts");
const direct = write("p/test/one.test.ts", "../src/deep/loss-check.ts");
const overAnother = write("p/test/two.test.ts", "../src/link.ts");
const alike = write("p/test/loss-check.test.ts", "../src/link.ts");
const unrelated = write("p/test/three.test.ts");

it("is by name, then by the files between them, then by time, and leaves none out", () => {
  const slow = write("p/test/four.test.ts", "../src/deep/loss-check.ts");
  const durations = new Map(
    [unrelated, slow, overAnother, alike, direct].map((path) => [path, path === slow ? 2_000 : 10]),
  );
  expect(nearestFirst(root, "p", "p/src/deep/loss-check.ts", durations)).toEqual([
    alike,
    direct,
    overAnother,
    slow,
    unrelated,
  ]);
});
