// The settings of the matrix service.
import type { PlainSetting } from "@roundtrip/contract";
import { cachedPowers } from "./power-cache.ts";

/** By name, with their defaults. */
export const matrixSettings = [
  {
    name: "threads",
    meaning: "worker threads, each computing one power at a time; they start with the first request",
    default: 1,
    values: [1, 2, 4, 8, 16],
  },
  {
    name: "queueLimit",
    meaning: "maximum waiting requests while all threads compute",
    default: 1_000_000,
    values: { least: 0, most: 1_000_000 },
  },
  {
    name: "cache",
    meaning: `caches the last ${cachedPowers} powers, first in, first out`,
    default: false,
    values: [false, true],
  },
] as const satisfies readonly PlainSetting[];
