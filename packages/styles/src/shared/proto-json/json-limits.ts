// Limits of JSON, judged before it is parsed: a few kilobytes, compressed, can have millions of brackets, each of which becomes an object.
import { CallError } from "@roundtrip/contract";

/** Maximum nesting of lists and objects. Messages nest 100 levels, each in an object, and perhaps in a list and an entry of a map. */
export const maxJsonDepth = 512;

/** What the values of a body may cost together, by the weights below: reading them takes about as long as others may have to wait. */
export const maxJsonCost = 500_000;

/** What it costs to read each part of JSON, relative to a number in a list. */
export interface JsonWeights {
  /** Shorter JSON is not judged: whatever is in it is read in a few milliseconds. */
  readonly judgedBytes: number;
  /** Numbers that a double might change count more. */
  readonly value: number;
  /** A list or an object. */
  readonly object: number;
  /** Of an object. */
  readonly member: number;
  /** Of an object with many members, which becomes a map. */
  readonly entry: number;
}

/** Of readers that are compiled for their types. */
const usualWeights: JsonWeights = { judgedBytes: 64 * 1024, value: 1, object: 8, member: 2, entry: 10 };

/** Of protobuf-es, which Connect's library uses. */
export const libraryWeights: JsonWeights = { judgedBytes: 64 * 1024, value: 3, object: 40, member: 5, entry: 20 };

/** Of GraphQL, which checks each value of a variable by its type, and repeats all members of an invalid one for each of its errors. */
export const graphqlWeights: JsonWeights = { judgedBytes: 16 * 1024, value: 8, object: 100, member: 20, entry: 400 };

/** A number of more bytes has many digits. */
const shortBytes = 16;

/** Objects of messages have fewer members than this. */
const mostMembers = 64;

const ordinary = 0;
const text = 1;
const opening = 2;
const closing = 3;
const comma = 4;
const colon = 5;
const point = 6;
const exponent = 7;

/** The part of JSON that a byte begins or ends. */
const parts = new Uint8Array(256);
parts[0x22] = text;
for (const bracket of [0x5b, 0x7b]) parts[bracket] = opening;
for (const bracket of [0x5d, 0x7d]) parts[bracket] = closing;
parts[0x2c] = comma;
parts[0x3a] = colon;
parts[0x2e] = point;
for (const letter of [0x45, 0x65]) parts[letter] = exponent;

const quote = 0x22;
const backslash = 0x5c;

const tooDeep = `the JSON nests more than ${maxJsonDepth} lists and objects`;
const tooMuch = "the JSON has too many values: send several smaller requests";

/**
 * The error of long JSON beyond the limits: RESOURCE_EXHAUSTED, or INVALID_ARGUMENT for JSON that nests too deep, as for shorter JSON. Undefined within
 * them. Reads invalid JSON too, to its end.
 */
export function jsonExcess(bytes: Uint8Array, weights: JsonWeights = usualWeights): CallError | undefined {
  const excess = excessIn(bytes, weights);
  if (excess === undefined) return undefined;
  return excess === "depth" ? new CallError("INVALID_ARGUMENT", tooDeep) : new CallError("RESOURCE_EXHAUSTED", tooMuch);
}

function excessIn(bytes: Uint8Array, weights: JsonWeights): "depth" | "cost" | undefined {
  const { length } = bytes;
  if (length < weights.judgedBytes) return undefined;
  const { value, object, member, entry } = weights;
  /** The members of the object at each depth, and at the same index in a list: none. */
  const members = new Uint32Array(maxJsonDepth + 1);
  let depth = 0;
  let cost = 0;
  /** Where the value begins, and whether it has a fraction. */
  let from = 0;
  let hasPoint = false;
  for (let at = 0; at < length; at += 1) {
    const part = parts[bytes[at] as number] as number;
    if (part === ordinary) continue;
    if (part >= point) {
      if (part === point) hasPoint = true;
      else cost += 2 * value;
      continue;
    }
    if (part === text) {
      for (at += 1; at < length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
    } else if (part === comma) {
      cost += value;
      if (at - from > shortBytes) cost += hasPoint ? value : 3 * value;
    } else if (part === colon) cost += (members[depth] as number)++ < mostMembers ? member : entry;
    else if (part === closing) depth = Math.max(0, depth - 1);
    else {
      depth += 1;
      if (depth > maxJsonDepth) return "depth";
      members[depth] = 0;
      cost += object;
    }
    from = at;
    hasPoint = false;
    if (cost > maxJsonCost) return "cost";
  }
  return undefined;
}
