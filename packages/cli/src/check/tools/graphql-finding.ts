// What graphql-js says in words, tied to the change that it is about. The forms of its sentences are pinned by a test.
import type { Model } from "@roundtrip/styles/graphql/parts";
import type { Change } from "../change.ts";
import type { Finding } from "./finding.ts";
import { fieldNames, operationNames, typeNames } from "./graphql-names.ts";

export interface Models {
  readonly before: Model;
  readonly after: Model;
}

/** Each sentence, and the coordinate that it is about. */
const sentences: readonly (readonly [form: RegExp, coordinate: (words: readonly string[]) => string])[] = [
  [/^A required arg (\w+) on (\w+)\.(\w+) was added/, ([, argument, type, field]) => `${type}.${field}.${argument}`],
  [/^A required field (\w+) on input type (\w+) was added/, ([, field, type]) => `${type}.${field}`],
  [/^(\w+)\.(\w+) arg (\w+) /, ([, type, field, argument]) => `${type}.${field}.${argument}`],
  [/^(\w+)\.(\w+) /, ([, type, field]) => `${type}.${field}`],
  [/^(\w+) was (?:removed from|added to) enum type (\w+)/, ([, , type]) => `${type}`],
  [/^(\w+) was (?:removed from|added to) union type (\w+)/, ([, member]) => `${member}`],
  [/^(?:Standard scalar )?(\w+) /, ([, type]) => `${type}`],
];

function coordinateOf(description: string): string {
  for (const [form, coordinate] of sentences) {
    const words = form.exec(description);
    if (words !== null) return coordinate(words);
  }
  return description;
}

/** The value that came or went, in an enum's sentence. */
function valueIn(description: string): string | undefined {
  return /^(\w+) was (?:removed from|added to) enum type/.exec(description)?.[1];
}

/** True when the one name is the other, or the other with an enum's prefix. */
function isValue(name: string, shown: string): boolean {
  return name === shown || name.endsWith(`_${shown}`);
}

/** The coordinates that a change may be told by. */
function coordinatesOf(change: Change, { before, after }: Models): readonly string[] {
  switch (change.kind) {
    case "operation-added":
      return operationNames(after, change.operation);
    case "operation-removed":
      return operationNames(before, change.operation);
    case "operation-moved":
    case "streaming-changed":
    case "side-effects-changed":
      return [...operationNames(before, change.before), ...operationNames(after, change.after)];
    case "type-moved":
      return [...typeNames(before, change.before), ...typeNames(after, change.after)];
    case "field-added":
      return fieldNames(after, change.field);
    case "field-removed":
      return fieldNames(before, change.field);
    case "enum-value-added":
      return typeNames(after, change.value.parent);
    case "enum-value-removed":
      return typeNames(before, change.value.parent);
    case "enum-value-renamed":
    case "enum-value-renumbered":
      return [...typeNames(before, change.before.parent), ...typeNames(after, change.after.parent)];
    case "binding-added":
    case "binding-removed":
    case "binding-changed":
    case "message-rules-changed":
      return [];
    default:
      return [...fieldNames(before, change.before), ...fieldNames(after, change.after)];
  }
}

function valueNames(change: Change): readonly string[] {
  if (change.kind === "enum-value-added" || change.kind === "enum-value-removed") return [change.value.name];
  if (change.kind === "enum-value-renamed" || change.kind === "enum-value-renumbered") {
    return [change.before.name, change.after.name];
  }
  return [];
}

/** The type that something had, in a sentence of a change of type. */
function typeBefore(description: string): string | undefined {
  return /type from \[?(\w+)/.exec(description)?.[1];
}

/** A field that changed its type because its message or enum has another name now. */
function isByName(change: Change, description: string, { before }: Models): boolean {
  const type = typeBefore(description);
  return change.kind === "type-moved" && type !== undefined && typeNames(before, change.before).includes(type);
}

/** Changes of a field that leave its type in GraphQL as it is. */
const quiet: ReadonlySet<Change["kind"]> = new Set([
  "field-renumbered",
  "enum-value-renumbered",
  "field-default-changed",
]);

/** A schema change that graphql-js tells, as a finding. */
export function graphqlFinding(rule: string, description: string, models: Models): Finding {
  const coordinate = coordinateOf(description);
  const value = valueIn(description);
  return {
    rule,
    text: description.replace(/\.$/, ""),
    where: coordinate,
    isAbout(change) {
      if (quiet.has(change.kind)) return false;
      const values = valueNames(change);
      // A field is a value of the enum of its message's fields, which masks are made of.
      if (value !== undefined && values.length === 0) {
        return coordinatesOf(change, models).includes(`${coordinate}.${value}`);
      }
      if (value !== undefined && !values.some((name) => isValue(name, value))) return false;
      return coordinatesOf(change, models).includes(coordinate) || isByName(change, description, models);
    },
  };
}
