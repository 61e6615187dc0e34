// What a command line comes to, checked: what one that succeeded printed, or the line that says why one was refused.
import { expect } from "vitest";
import type { Outcome } from "./run-program.ts";

/** Returns the standard output of a success that had nothing else to say. */
export function printed({ status, stdout, stderr }: Outcome): string {
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

/** Returns the line on standard error after the program's name. 64 is the status of a mistake, 69 that of something that is not to be had. */
export function refusal({ status, stdout, stderr }: Outcome, expected: 64 | 69 = 64): string {
  expect({ status, stdout, stderr }).toEqual({
    status: expected,
    stdout: "",
    stderr: expect.stringMatching(/^roundtrip: [^\n]+\n$/),
  });
  return stderr.slice("roundtrip: ".length, -1);
}
