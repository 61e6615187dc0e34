// What a run records of the libraries that made its calls.
import { expect, it } from "vitest";
import { describeEnvironment } from "../src/run-directory/environment.ts";

it("has the version of a load generator that is a library, beside those of the stacks", () => {
  const { libraries } = describeEnvironment({
    stacks: [],
    link: { kind: "loopback", rttMs: 0, mtuBytes: 0 },
    placement: "",
    services: {},
    drivers: ["autocannon"],
  });
  expect(libraries).toEqual({ autocannon: expect.stringMatching(/^\d+\.\d+\.\d+/) });
});
