// The configuration of TCP at an end of a link.
import { expect, test } from "vitest";
import { memoryPerByte } from "../src/link/kernel/tcp.ts";

test.each([
  ["5.15.0-91-generic", 2],
  ["4.19.0", 2],
  ["6.5.13", 2],
  ["6.6.1", 2_304 / 1_448],
  ["6.12.8", 2_304 / 1_448],
  ["7.0.0", 2_304 / 1_448],
])("a kernel %s counts %d bytes of memory for a byte of a window", (kernel, bytes) => {
  expect(memoryPerByte(kernel)).toBe(bytes);
});
