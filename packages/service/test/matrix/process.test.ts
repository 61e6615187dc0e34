// What the threads mean for the process that they are in.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const limitMs = 20_000;

it("holds no threads before the first power is asked for, and ends by itself although it has some", async () => {
  const program = join(import.meta.dirname, "support/one-call-process.ts");
  // Rejects when the process does not end in time, or not well.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { timeout: limitMs });
  expect({ stdout, stderr }).toEqual({ stdout: '{"before":false,"after":true}', stderr: "" });
});
