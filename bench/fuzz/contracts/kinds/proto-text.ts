// The words that hostile contracts are written in: lines of .proto files, a number of them.
import type { Random } from "../../mutate.ts";

/** Contracts of one kind: .proto files by path, or the text of a single one. */
export interface Kind {
  readonly sizes: readonly number[];
  readonly make: (size: number, random: Random) => string | ReadonlyMap<string, string>;
}

export type Kinds = Readonly<Record<string, Kind>>;

export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

export function lines(count: number, line: (index: number) => string, between = "\n"): string {
  return numbers(count).map(line).join(between);
}

export const proto3 = (...parts: readonly string[]): string =>
  `syntax = "proto3";\npackage hostile.v1;\n${parts.join("\n")}`;
export const proto2 = (...parts: readonly string[]): string =>
  `syntax = "proto2";\npackage hostile.v1;\n${parts.join("\n")}`;

export const http = 'import "google/api/annotations.proto";';
export const rules = 'import "buf/validate/validate.proto";';
export const request = "message Request { optional string value = 1; optional int32 id = 2; }";
const value = "string value = 1;";

/** A message with a text, and fields without their numbers. */
export function message(name: string, ...fields: readonly string[]): string {
  return `message ${name} { ${value} ${fields.map((field, index) => `${field} = ${index + 2};`).join(" ")} }`;
}

/** Messages `M0`, `M1`, … of this content. @param content `next` is the message after it, the first for the last one */
export function messages(size: number, content: (next: string, index: number) => string): string {
  return lines(size, (index) => `message M${index} { ${content(`M${(index + 1) % size}`, index)} }`);
}

/** Messages with a text that each hold the next one; the last one holds the first. */
export function ring(size: number, held = (next: string): string => `${next} next`): string {
  return messages(size, (next) => `${value} ${held(next)} = 2;`);
}

/** Messages that all hold each other. @param options of each field */
export function clique(size: number, options = ""): string {
  const fields = (index: number): string => `M${index} f${index} = ${index + 2}${options};`;
  return messages(size, () => `${value} ${lines(size, fields, " ")}`);
}

/** Fields `f0`, `f1`, … with texts. */
export const texts = (size: number, name = "f"): string =>
  lines(size, (index) => `string ${name}${index} = ${index + 1};`);

/** A service whose operations answer with these types, and read without side effects. */
export function reads(...types: readonly string[]): string {
  const option = "{ option idempotency_level = NO_SIDE_EFFECTS; }";
  return `service S {\n${types.map((type, index) => `rpc Get${index}(Request) returns (${type}) ${option}`).join("\n")}\n}`;
}

/** The same for the first messages, or some of them. */
export const readsEach = (count: number, step = 1): string =>
  reads(...numbers(count).map((index) => `M${index * step}`));

/** A service that takes and returns a type. */
export const echo = (type: string): string => `service T { rpc Put(${type}) returns (${type}); }`;

/** A service that takes and returns a type, at a path. */
export const got = (type: string, path: string): string =>
  `service S { rpc Get(${type}) returns (${type}) { option (google.api.http) = { get: "${path}" }; } }`;
