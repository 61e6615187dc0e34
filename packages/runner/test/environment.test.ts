// The environment of a run names what was measured.
import { defaultStackNames, loadStack } from "@roundtrip/stacks";
import { expect, test } from "vitest";
import { describeEnvironment } from "../src/run-directory/environment.ts";

test("every library of a stack has its version, those of its style too", async () => {
  const stacks = await Promise.all(defaultStackNames().map((name) => loadStack(name)));
  const { libraries } = describeEnvironment({
    stacks,
    link: { kind: "loopback", rttMs: 0, mtuBytes: 65_536 },
    placement: "",
    services: {},
  });
  expect(libraries).toHaveProperty("dataloader");
  expect(Object.entries(libraries).filter(([, version]) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
});
