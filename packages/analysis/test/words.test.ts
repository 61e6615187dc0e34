// Numbers read as a person would write them.
import { expect, test } from "vitest";
import {
  bytesText,
  counted,
  durationRange,
  durationText,
  listed,
  ratioText,
  threeDigits,
  windowText,
} from "../src/basics/words.ts";

test("a duration has three digits and the unit that fits", () => {
  expect([0, 5e-7, 0.21, 0.2096, 1.234, 45.67, 1_234, 123_456].map(durationText)).toEqual([
    "0 µs",
    "0.5 ns",
    "210 µs",
    "210 µs",
    "1.23 ms",
    "45.7 ms",
    "1.23 s",
    "123 s",
  ]);
});

test("a range says its unit once where it is the same", () => {
  expect(durationRange(0.205, 0.216)).toBe("205 to 216 µs");
  expect(durationRange(0.98, 1.02)).toBe("980 µs to 1.02 ms");
  expect(durationRange(0, 1.02)).toBe("0 to 1.02 ms");
});

test("a ratio keeps the digits in which one per cent shows", () => {
  expect([-0.68, 0.0123, 0.816, 1, 9.87, 12.34, 123.4].map(ratioText)).toEqual([
    "−0.68",
    "0.012",
    "0.82",
    "1.00",
    "9.87",
    "12.3",
    "123",
  ]);
});

test("counts agree with their noun, sizes with their unit, lists with their number", () => {
  expect([counted(1, "round"), counted(2, "round"), counted(12_345, "call")]).toEqual([
    "1 round",
    "2 rounds",
    "12,345 calls",
  ]);
  expect([1, 272, 277_000, 3_900_000].map(bytesText)).toEqual(["1 byte", "272 bytes", "277 KB", "3.9 MB"]);
  expect([65_535, 65_536, 8_388_608].map(windowText)).toEqual(["64 KiB", "64 KiB", "8 MiB"]);
  expect([listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])]).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
  expect([0.012_34, 1.005, 99.95, 123.4].map(threeDigits)).toEqual(["0.0123", "1", "100", "123"]);
});
