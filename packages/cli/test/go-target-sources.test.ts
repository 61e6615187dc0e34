// The sources in Go of examples/targets: their generated code is that of the contract, and Go's own tools find nothing wrong.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { findBuf } from "../src/contract/run-buf.ts";
import { goEnvironment, goFolder } from "./support/go-target.ts";
import { emptyFolder } from "./support/run-program.ts";

const [buf, ...first] = findBuf();

describe("the sources in Go", await needing("go"), () => {
  it("have the generated code of this contract", { timeout: 600_000 }, async () => {
    const folder = emptyFolder();
    const options = { cwd: goFolder, env: goEnvironment };
    await promisify(execFile)(buf, [...first, "generate", "--output", folder], options);
    const made = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".go"));
    const kept = readdirSync(join(goFolder, "gen"), { recursive: true, encoding: "utf8" });
    expect(made.toSorted()).toEqual(
      kept
        .filter((path) => path.endsWith(".go"))
        .map((path) => join("gen", path))
        .toSorted(),
    );
    const differing = made.filter(
      (path) => readFileSync(join(folder, path), "utf8") !== readFileSync(join(goFolder, path), "utf8"),
    );
    expect(differing).toEqual([]);
  });
});
