// Chance that follows from a seed: whatever is made up is drawn from one of these, so the same seed makes up the same.
import type { Faker, Randomizer } from "@faker-js/faker";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/**
 * The library of names, addresses and sentences, drawing from this; loaded when somebody first needs one. One locale and no other: all of them together would take as long to load as everything else. Its own
 * generator takes a hundred microseconds to seed, which is what a whole answer may take.
 */
function loadFaker(randomizer: Randomizer): Faker {
  const path = fileURLToPath(import.meta.resolve("@faker-js/faker/locale/en"));
  const { faker } = require(path) as { readonly faker: Faker };
  // The class has no entry of its own that would leave the other locales out.
  const Class = faker.constructor as typeof Faker;
  return new Class({ locale: faker.rawDefinitions, randomizer });
}

/** What a draw begins with: as many 32-bit words as there are things that it depends on. */
export type Seed = readonly [number, number, number, number];

const two32 = 2 ** 32;

let fraction: () => number = Math.random;
let words: Faker | undefined;

/** The generator sfc32 of C. Doty-Humphrey's PractRand: four words of state, and nothing in it is slow to set up. */
export class Draw {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor([first, second, third, fourth]: Seed) {
    this.#a = first | 0;
    this.#b = second | 0;
    this.#c = third | 0;
    this.#counter = fourth | 0;
    // Seeds that differ in one bit have nothing in common after these.
    for (let round = 0; round < 15; round++) this.#next();
  }

  #next(): number {
    const result = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** At least 0, less than 1. */
  fraction(): number {
    return this.#next() / two32;
  }

  /** One of the whole numbers from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** The same for numbers of 64 bits. */
  bigint(low: bigint, high: bigint): bigint {
    const wide = (BigInt(this.#next()) << 32n) | BigInt(this.#next());
    return low + (wide % (high - low + 1n));
  }

  /** One of them; there has to be one. */
  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)] as T;
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at++) bytes[at] = this.#next();
    return bytes;
  }

  /** Names, addresses, sentences: drawn from here until those of another draw are asked for. */
  get words(): Faker {
    // One library for all draws: making up a message waits for nothing, so no two of them are asked in turn.
    fraction = () => this.fraction();
    words ??= loadFaker({ next: () => fraction(), seed: () => {} });
    return words;
  }
}
