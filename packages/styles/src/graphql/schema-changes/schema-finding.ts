// Matches graphql-js findings, by their sentences, to contract changes. A test checks the sentence forms.
import type { Change } from "@roundtrip/contract/changes";
import type { ToolFinding } from "../../basics/breaking-changes.ts";
import type { Model } from "../schema/model.ts";
import { fieldNames, operationNames, typeNames } from "./schema-names.ts";

interface Models {
  readonly before: Model;
  readonly after: Model;
}

/** Each sentence, with the coordinate in it. */
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

function valueIn(description: string): string | undefined {
  return /^(\w+) was (?:removed from|added to) enum type/.exec(description)?.[1];
}

function isValue(name: string, shown: string): boolean {
  return name === shown || name.endsWith(`_${shown}`);
}

/** The coordinates at which a change may appear. */
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
    case "enum-closed":
    case "enum-opened":
      return [];
    case "enum-value-renamed":
    case "enum-value-renumbered":
    case "enum-value-alias-first":
      return [...typeNames(before, change.before.parent), ...typeNames(after, change.after.parent)];
    case "binding-added":
    case "binding-removed":
    case "binding-changed":
    case "message-rules-changed":
    case "type-added":
    case "type-removed":
      return [];
    default:
      return [...fieldNames(before, change.before), ...fieldNames(after, change.after)];
  }
}

function valueNames(change: Change): readonly string[] {
  if (change.kind === "enum-value-added" || change.kind === "enum-value-removed") return [change.value.name];
  if (
    change.kind === "enum-value-renamed" ||
    change.kind === "enum-value-alias-first" ||
    change.kind === "enum-value-renumbered"
  ) {
    return [change.before.name, change.after.name];
  }
  return [];
}

function typeBefore(description: string): string | undefined {
  return /type from \[?(\w+)/.exec(description)?.[1];
}

/** Whether a field's type changed because its message or enum was renamed. */
function isByTypeName(change: Change, description: string, { before }: Models): boolean {
  const type = typeBefore(description);
  return change.kind === "type-moved" && type !== undefined && typeNames(before, change.before).includes(type);
}

/** Changes of a field that keep its GraphQL type. */
const keepsSchema: ReadonlySet<Change["kind"]> = new Set([
  "field-renumbered",
  "enum-value-renumbered",
  "field-default-changed",
]);

/** Rules whose findings follow from others: a type disappears with its last field, and each field has a finding. */
const derived: ReadonlySet<string> = new Set(["TYPE_REMOVED", "TYPE_REMOVED_FROM_UNION"]);

export function schemaFinding(rule: string, description: string, models: Models): ToolFinding {
  const coordinate = coordinateOf(description);
  const value = valueIn(description);
  return {
    tool: "graphql",
    rule,
    isDerived: derived.has(rule),
    text: description.replace(/\.$/, ""),
    where: coordinate,
    isAbout(change) {
      if (keepsSchema.has(change.kind)) return false;
      const values = valueNames(change);
      if (value === undefined && values.length > 0) return false;
      // A field is a value of its message's mask enum.
      if (value !== undefined && values.length === 0) {
        return coordinatesOf(change, models).includes(`${coordinate}.${value}`);
      }
      if (value !== undefined && !values.some((name) => isValue(name, value))) return false;
      return coordinatesOf(change, models).includes(coordinate) || isByTypeName(change, description, models);
    },
  };
}
