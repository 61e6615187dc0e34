// The settings of the matrix service.
import type { PlainSetting } from "@roundtrip/contract";
import { cachedPowers } from "./power-cache.ts";

/** By name, with their defaults. */
export const matrixSettings = [
  {
    name: "threads",
    meaning: "threads that compute, each one power at a time; they start with the first request",
    default: 1,
    values: [1, 2, 4, 8, 16],
  },
  {
    name: "queueLimit",
    meaning: "requests that may wait while all threads compute; the default is more than ever come",
    default: 1_000_000,
    values: { least: 0, most: 1_000_000 },
  },
  {
    name: "cache",
    meaning: `keeps the last ${cachedPowers} powers, the first in being the first out`,
    default: false,
    values: [false, true],
  },
] as const satisfies readonly PlainSetting[];
