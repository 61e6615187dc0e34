// Bytes that payloads are made of: the same everywhere, different for each seed, and as long as they are.
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { incompressibleBytes } from "../src/index.ts";

it("are the key stream of AES-128 in counter mode, so that anybody can make them", () => {
  // FIPS 197: the zero block under the key of zeros.
  expect(Buffer.from(incompressibleBytes(16, 0)).toString("hex")).toBe("66e94bd4ef8a2c3b884cfa59ca342b2e");
});

it("begin alike for every length, and differ by seed", () => {
  const long = incompressibleBytes(1_000, 1);
  expect(Buffer.compare(incompressibleBytes(17, 1), long.subarray(0, 17))).toBe(0);
  expect(Buffer.compare(incompressibleBytes(17, 2), long.subarray(0, 17))).not.toBe(0);
  expect(incompressibleBytes(0, 1)).toHaveLength(0);
});

it("do not become fewer by compression", () => {
  expect(gzipSync(incompressibleBytes(100_000, 1)).length).toBeGreaterThan(100_000);
});
