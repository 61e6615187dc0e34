// What tests need of a machine: without it they are skipped, and .ci/full requires all of it.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { needing, needNames } from "../../.ci/needs/needing.ts";

it.each([
  [
    "",
    "resolves",
    { skip: true, meta: { leftOut: expect.stringMatching(/^tests of git revisions, no git: /) as string } },
  ],
  [
    "k6,git",
    "rejects",
    expect.objectContaining({ message: expect.stringMatching(/^ROUNDTRIP_REQUIRE has git, /) as string }),
  ],
] as const)(
  "a test of what is missing is skipped, or fails with ROUNDTRIP_REQUIRE=%s",
  async (required, how, outcome) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("PATH", mkdtempSync(join(tmpdir(), "roundtrip-bare-")));
    vi.stubEnv("ROUNDTRIP_REQUIRE", required);
    await expect(needing("git"))[how].toEqual(outcome);
  },
);

it(".ci/full requires everything that a test can need, where the machine has it or it can be installed", () => {
  const script = ["steps", "full"]
    .map((file) => readFileSync(join(import.meta.dirname, "../../.ci", file), "utf8"))
    .join("\n");
  const required = [...script.matchAll(/\brequired\+?=\(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(" "));
  expect([...new Set(required)].toSorted()).toEqual(needNames.toSorted());
});
