// Seeds and draws, and what the makers of messages, fields and values pass to each other. Equal requests give equal seeds, over every style.
import { type DescField, type DescMessage, type Message, type Registry, toBinary } from "@bufbuild/protobuf";
import type { Faker, Randomizer } from "@faker-js/faker";
import { containsType } from "@roundtrip/contract";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Made } from "./limits.ts";

const require = createRequire(import.meta.url);

/**
 * The library of names, addresses and sentences, with this as its random source. It is loaded on first use, with one locale only, since loading all
 * takes as long as loading everything else. Its own generator takes 100 µs to seed, as long as a whole answer.
 */
function loadFaker(randomizer: Randomizer): Faker {
  const path = fileURLToPath(import.meta.resolve("@faker-js/faker/locale/en"));
  const { faker } = require(path) as { readonly faker: Faker };
  // The class has no entry point that excludes the other locales.
  const Class = faker.constructor as typeof Faker;
  return new Class({ locale: faker.rawDefinitions, randomizer });
}

/** A seed of four 32-bit words. */
export type Seed = readonly [number, number, number, number];

const two32 = 2 ** 32;

/** The last step of MurmurHash3, which spreads each bit over 32. */
function mixed(word: number): number {
  let bits = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

let fraction: () => number = Math.random;
let words: Faker | undefined;

/** The generator sfc32 of C. Doty-Humphrey's PractRand: four words of state, and cheap to set up. */
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
    // Mixes seeds that differ in one bit.
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

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** The same for 64-bit numbers. */
  bigint(low: bigint, high: bigint): bigint {
    const wide = (BigInt(this.#next()) << 32n) | BigInt(this.#next());
    return low + (wide % (high - low + 1n));
  }

  /** One element of a list that is not empty. */
  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)] as T;
  }

  /** One of several numbers. A further number changes a choice only by being chosen, as no other index or remainder does. */
  pickNumber(from: readonly number[]): number {
    const salt = this.#next();
    const weight = (number: number): number => mixed(salt ^ mixed(number));
    return from.reduce((best, number) => (weight(number) > weight(best) ? number : best));
  }

  /** A source of draws that do not depend on each other: what is drawn for one key stays the same when others are added or left out. */
  apart(): (key: number) => Draw {
    const [first, second, third, fourth] = [this.#next(), this.#next(), this.#next(), this.#next()];
    return (key) => new Draw([first, second, third, fourth ^ key]);
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at++) bytes[at] = this.#next();
    return bytes;
  }

  /** Names, addresses and sentences, drawn from this generator until another draw asks for words. */
  get words(): Faker {
    // All draws share one library. Making a message is synchronous, so draws do not interleave.
    fraction = () => this.fraction();
    words ??= loadFaker({ next: () => fraction(), seed: () => {} });
    return words;
  }
}

/** Fakes, and the example requests for them, depend on the same seed. */
export const usualSeed = 1;

/** Whether equal messages may have different bytes, since map entries come in any order. */
const holdsMaps = containsType(({ fields }) => fields.some(({ fieldKind }) => fieldKind === "map"));

/** The same text for equal messages: members in the order of their names, without unknown fields. */
function spelled(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return `[${value.map(spelled).join()}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([name]) => name !== "$unknown");
    const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${spelled(member)}`);
    return `{${texts.toSorted().join()}}`;
  }
  if (typeof value === "string") return JSON.stringify(value);
  return Object.is(value, -0) ? "-0" : String(value);
}

/** A request as bytes, the same for equal requests. Unknown fields are ignored. */
export type RequestBytes = (request: Message) => Buffer;

export function requestBytes(desc: DescMessage): RequestBytes {
  if (holdsMaps(desc)) return (request) => Buffer.from(spelled(request));
  return (request) => {
    const bytes = toBinary(desc, request, { writeUnknownFields: false });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
}

/** The field that a value is for. */
export interface Purpose {
  /** In snake_case. */
  readonly name: string;
  /** The name of the message with the field, in snake_case. */
  readonly owner: string;
  /** As in errors: `shop.v1.Order.code`. */
  readonly fullName: string;
}

/** The state in which a value is made. */
export interface MakeContext {
  readonly draw: Draw;
  /** How many more messages may be made inside this value. */
  readonly allowance: number;
  /** At this depth, only required messages are made. */
  readonly maxDepth: number;
  /** The number of messages around this value. */
  readonly depth: number;
  /** What has been made so far of the whole answer. */
  readonly made: Made;
}

export type MakeMessage = (making: MakeContext) => Message;

/** Gives a field its values (for a list, of an item), as reflection represents them; undefined for other fields. */
export type ValueOf = (field: DescField) => ((draw: Draw) => unknown) | undefined;

export type MadeFor = "request" | "answer";

export interface MessageSource {
  readonly madeFor: MadeFor;
  /** Contains all types that a message may hold. */
  readonly registry: Registry;
  readonly valueOf: ValueOf;
  make(desc: DescMessage, making: MakeContext): Message;
}
