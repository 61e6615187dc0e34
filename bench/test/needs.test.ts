// What tests need of a machine, and what is printed of tests that are left out.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { TestModule } from "vitest/node";
import { leftOutLines } from "../../.ci/needs/left-out.ts";
import { needing, needNames } from "../../.ci/needs/needing.ts";
import { projectRoot } from "./support/source-files.ts";

/** The variables of a machine that has no programs, not even in the homes of those who use it. */
function bareEnvironment(): Record<string, string> {
  const empty = mkdtempSync(join(tmpdir(), "roundtrip-bare-"));
  return { PATH: empty, HOME: empty, GOPATH: empty, GOBIN: empty, ROUNDTRIP_REQUIRE: "" };
}

/** In this process too, until the test is done. */
function onBareMachine(changes: Readonly<Record<string, string>> = {}): void {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, value] of Object.entries({ ...bareEnvironment(), ...changes })) vi.stubEnv(name, value);
}

describe("tests that need something", () => {
  it("run where the machine has it", async () => {
    const PATH = mkdtempSync(join(tmpdir(), "roundtrip-tools-"));
    writeFileSync(join(PATH, "git"), "");
    onBareMachine({ PATH });
    expect(await needing("git")).toEqual({});
  });

  it("are skipped with what is missing, and the command that installs it", async () => {
    onBareMachine();
    const command = process.platform === "darwin" ? "brew install git" : "apt-get install git";
    expect(await needing("git")).toEqual({
      skip: true,
      meta: { leftOut: `tests of git revisions, no git: ${command}` },
    });
  });

  it("name all that is missing at once", async () => {
    onBareMachine();
    expect((await needing("bash", "curl")).meta?.leftOut).toMatch(
      /^tests of shell commands, no bash: .+; no curl: .+$/,
    );
  });

  it("fail where ROUNDTRIP_REQUIRE says that the machine has it", async () => {
    onBareMachine({ ROUNDTRIP_REQUIRE: "k6,git" });
    await expect(needing("git")).rejects.toThrow(
      /^ROUNDTRIP_REQUIRE has git, and tests of git revisions would be left out: no git: /,
    );
  });

  it("fail where ROUNDTRIP_REQUIRE has a name that no need has", async () => {
    onBareMachine({ ROUNDTRIP_REQUIRE: "k6,k7" });
    await expect(needing("git")).rejects.toThrow(/^ROUNDTRIP_REQUIRE: unknown k7; known are browser, k6, /);
  });

  it("fail where CHROMIUM_PATH names nothing", async () => {
    onBareMachine({ CHROMIUM_PATH: "/nowhere/chromium" });
    await expect(needing("browser")).rejects.toThrow(/^CHROMIUM_PATH names no file: \/nowhere\/chromium; /);
  });
});

it(".ci/full requires everything that a test can need, where the machine has it or it can be installed", () => {
  const script = ["steps", "full"].map((file) => readFileSync(join(projectRoot, ".ci", file), "utf8")).join("\n");
  const required = [...script.matchAll(/\brequired\+?=\(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(" "));
  expect([...new Set(required)].toSorted()).toEqual(needNames.toSorted());
});

function moduleOf(...reasons: readonly (string | undefined)[]): TestModule {
  const skipped = reasons.map((leftOut) => ({ meta: () => ({ leftOut }) }));
  return { children: { allTests: () => skipped } } as unknown as TestModule;
}

it("a test run ends with a line for each reason for which tests were left out", () => {
  const modules = [moduleOf("tests of k6, no k6", undefined), moduleOf("tests of git, no git", "tests of k6, no k6")];
  expect(leftOutLines(modules)).toEqual(["left out: 2 tests of k6, no k6", "left out: 1 test of git, no git"]);
});
