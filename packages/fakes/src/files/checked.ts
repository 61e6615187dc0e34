// Checks what people write against a schema of zod. An error is one line: what is expected, what is there, and the nearest valid name.
import type { JsonValue } from "@bufbuild/protobuf";
import { shortText } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { createRequire } from "node:module";
import type * as Zod from "zod";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";

const require = createRequire(import.meta.url);

/** The library of schemas, loaded with the first file: a fake without files starts without it. */
export function zod(): typeof Zod {
  return require("zod") as typeof Zod;
}

/** Makes a schema on its first use. */
export function lazily<T>(make: (z: typeof Zod) => T): () => T {
  let made: T | undefined;
  return () => (made ??= make(zod()));
}

/** A value as JSON, shortened to this many characters; `nothing` if there is none. */
export function jsonText(json: JsonValue | undefined, most = 60): string {
  if (json === undefined) return "nothing";
  return shortText(JSON.stringify(json), most);
}

type RawIssue = Zod.core.$ZodRawIssue;

const nounsOfTypes: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  number: "a number",
  object: "an object",
  record: "a map",
  string: "a string",
};

/** The title of the schema that found an issue, and the names of its members. */
function schemaOf({ inst }: RawIssue): { readonly title: string | undefined; readonly members: readonly string[] } {
  const z = zod();
  const schema = inst instanceof z.core.$ZodType ? inst : undefined;
  return {
    title: schema === undefined ? undefined : z.globalRegistry.get(schema)?.title,
    members: schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  };
}

function got({ input }: RawIssue): string {
  return jsonText(input as JsonValue | undefined);
}

/** The text of an issue. Schemas that have a message of their own do not come here. */
function issueText(issue: RawIssue): string {
  const { title, members } = schemaOf(issue);
  switch (issue.code) {
    case "invalid_type": {
      const noun = title ?? nounsOfTypes[issue.expected] ?? issue.expected;
      const what = members.length === 0 ? noun : `${noun}: an object with ${members.join(", ")}`;
      return `expected ${what}, got ${got(issue)}`;
    }
    case "invalid_value": {
      const names = issue.values.map(String);
      if (typeof issue.input !== "string") return `expected ${title ?? names.join(", ")}, got ${got(issue)}`;
      return `unknown ${title ?? "value"} "${issue.input}"${suggestion(issue.input, names)} (valid: ${names.join(", ")})`;
    }
    case "unrecognized_keys": {
      const [unknown = ""] = issue.keys;
      const what = title === undefined ? "" : ` in ${title}`;
      return `unknown member "${unknown}"${what}${suggestion(unknown, members)} (valid: ${members.join(", ")})`;
    }
    case "too_big":
    case "too_small": {
      const limit = issue.code === "too_big" ? `at most ${issue.maximum}` : `at least ${issue.minimum}`;
      const { input } = issue;
      if (Array.isArray(input)) return `expected a list of ${limit}, got ${input.length}`;
      if (typeof input === "string") return `expected ${limit} characters, got ${input.length}`;
      return `expected ${limit}, got ${got(issue)}`;
    }
    default:
      return `expected ${title ?? "another value"}, got ${got(issue)}`;
  }
}

/** An error for a value of the wrong type. */
export function expected(what: string, json: JsonValue, path: ValuePath): FakeError {
  return new FakeError("wrong-type", `expected ${what}, got ${jsonText(json)}`, { path });
}

/** `milliseconds from 0 to 9` as the error of a schema: `expected milliseconds from 0 to 9, got -1`. */
export function expecting(what: string): { readonly error: (issue: RawIssue) => string } {
  return { error: (issue) => `expected ${what}, got ${got(issue)}` };
}

/** The value as its schema describes it. Throws a FakeError for the first issue. @param path the position of the value, for errors */
export function checked<S extends Zod.ZodType>(schema: S, value: unknown, path: ValuePath): Zod.output<S> {
  const result = schema.safeParse(value, { error: issueText });
  if (result.success) return result.data;
  const { issues } = result.error;
  // A misspelt member is often the reason of other issues.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (issue === undefined) throw result.error;
  const within = issue.path.filter((step) => typeof step !== "symbol");
  const at = issue.code === "unrecognized_keys" ? [...within, issue.keys[0] ?? ""] : within;
  const isTooLarge = issue.code === "too_big" && issue.origin !== "number";
  const code = issue.code === "unrecognized_keys" ? "unknown-field" : isTooLarge ? "too-large" : "wrong-type";
  throw new FakeError(code, issue.message, { path: [...path, ...at] });
}

/** By member: the members that an object with it must not have. Exactly one of them applies to a valid object. */
export type Alternatives = Readonly<Record<string, readonly string[]>>;

/** One of these members and no other. */
export function oneOf(members: readonly string[]): Alternatives {
  return Object.fromEntries(members.map((member) => [member, members.filter((name) => name !== member)]));
}

/**
 * An object to which one of the alternatives applies, for the check and for the JSON schema.
 * @param meta its title in errors, and its name in the JSON schema
 * @param text lists the alternatives in errors
 */
export function withAlternatives<S extends Zod.ZodObject>(
  schema: S,
  meta: { readonly id: string; readonly title: string },
  alternatives: Alternatives,
  text: string = Object.keys(alternatives).join(", "),
): S {
  const rules = Object.entries(alternatives).map(([member, excluded]) => ({
    required: [member],
    not: { anyOf: excluded.map((name) => ({ required: [name] })) },
  }));
  return schema
    .superRefine((value, context) => {
      const has = (name: string): boolean => (value as Readonly<Record<string, unknown>>)[name] !== undefined;
      if (Object.entries(alternatives).some(([member, excluded]) => has(member) && !excluded.some(has))) return;
      const present = [...new Set([...Object.keys(alternatives), ...Object.values(alternatives).flat()])].filter(has);
      const actual = present.length === 0 ? "none" : present.join(" and ");
      context.addIssue({ code: "custom", message: `expected one of ${text}; got ${actual}` });
    })
    .meta({ ...meta, oneOf: rules });
}
