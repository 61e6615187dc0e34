// Filters and orders lists: by fields of the request that the resource also has, by the equalities of a filter (AIP-160), and by `order_by`.
import { ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { isReflectMessage, reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { CallError, type Contract, type Operation } from "@roundtrip/contract";
import { isPluralOf, referenceOption } from "@roundtrip/contract/resources";
import { suggestion } from "@roundtrip/contract/text";
import { invalid } from "./resource.ts";

export type Matches = (message: Message) => boolean;

/** Fields about the list itself rather than about its entries. */
const aboutTheList =
  /^(?:parent|page|page_size|page_token|page_number|cursor|limit|offset|skip|max_results|per_page|filter|order_by|sort|query|q|search|show_deleted|read_mask|request_id|idempotency_key)$/;

/** A field of a resource, and the values of which it must have one: a list must contain one. */
export interface Equality {
  /** The field of the request. */
  readonly asked: DescField;
  /** The message of the resource that has the field; undefined for the resource itself. */
  readonly inside: (DescField & { readonly fieldKind: "message" }) | undefined;
  readonly field: DescField;
  readonly wanted: readonly unknown[];
}

/** A field of a request, and the field of the resource that it is compared with. */
export type Compared = readonly [asked: DescField, field: DescField, inside: Equality["inside"]];

/** The type of a value of a field, of one in a wrapper, or of an element of a list; undefined for other messages, maps and bytes. */
function simpleType(field: DescField): unknown {
  const isWrapped = field.fieldKind === "message" && isWrapperDesc(field.message);
  const { fieldKind, enum: values, scalar } = isWrapped ? (field.message.fields[0] ?? field) : field;
  return fieldKind === "map" || scalar === ScalarType.BYTES ? undefined : (values ?? scalar);
}

/** The value of a field, or that in its wrapper. */
function valueIn(message: ReflectMessage, field: DescField): unknown {
  const value: unknown = message.get(field);
  if (!isReflectMessage(value)) return value;
  const [inner] = value.fields;
  return inner !== undefined && message.isSet(field) ? value.get(inner) : undefined;
}

/** The only one of some fields that refers to the same type as a field of a request does. */
function sameReference(contract: Contract, asked: DescField, fields: readonly DescField[]): DescField | undefined {
  const type = referenceOption(contract, asked)?.type ?? "";
  if (type === "" || type === "*") return undefined;
  const found = fields.filter((field) => referenceOption(contract, field)?.type === type);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The field of a resource that a field of a list request is about: of its name, where one of them is a list also of its plural, or the only one that
 * refers to the same type.
 */
function comparedField(contract: Contract, asked: DescField, { fields }: DescMessage): DescField | undefined {
  const type = simpleType(asked);
  if (type === undefined) return undefined;
  const comparable = fields.filter((field) => simpleType(field) === type);
  const same = comparable.find(({ name }) => name === asked.name);
  if (same !== undefined) return same;
  const plural =
    asked.fieldKind === "list"
      ? comparable.find(({ fieldKind, name }) => fieldKind !== "list" && isPluralOf(asked.name, name))
      : comparable.find(({ fieldKind, name }) => fieldKind === "list" && isPluralOf(name, asked.name));
  return plural ?? sameReference(contract, asked, comparable);
}

/**
 * What a list request compares with fields of the message that is listed: its simple fields, and lists of several values.
 * @param parent the field that names the parent of all that is listed
 */
export function comparedFields(
  contract: Contract,
  { input }: Operation,
  message: DescMessage,
  parent?: DescField,
): readonly Compared[] {
  return input.fields.flatMap((asked): readonly Compared[] => {
    if (aboutTheList.test(asked.name) || asked === parent) return [];
    const own = comparedField(contract, asked, message);
    if (own !== undefined) return [[asked, own, undefined]];
    const deeper = message.fields.flatMap((inside): readonly Compared[] => {
      const field = inside.fieldKind === "message" ? comparedField(contract, asked, inside.message) : undefined;
      return field === undefined || inside.fieldKind !== "message" ? [] : [[asked, field, inside]];
    });
    // Where several messages have such a field, it is unknown which is meant.
    return deeper.length === 1 ? deeper : [];
  });
}

export function equalities(input: DescMessage, pairs: readonly Compared[]): (request: Message) => readonly Equality[] {
  if (pairs.length === 0) return () => [];
  return (request) => {
    const reading = reflect(input, request, false);
    return pairs.flatMap(([asked, field, inside]) => {
      if (!reading.isSet(asked)) return [];
      return [
        {
          asked,
          inside,
          field,
          wanted: asked.fieldKind === "list" ? [...reading.get(asked)] : [valueIn(reading, asked)],
        },
      ];
    });
  };
}

export function matchesAll(desc: DescMessage, equal: readonly Equality[]): Matches {
  const all = equal.map(({ wanted, ...where }) => ({ ...where, wanted: new Set(wanted) }));
  return (message) => {
    const own = reflect(desc, message, false);
    return all.every(({ inside, field, wanted }) => {
      const reading = inside === undefined ? own : own.get(inside);
      if (field.fieldKind !== "list") return wanted.has(valueIn(reading, field));
      return [...reading.get(field)].some((value) => wanted.has(value));
    });
  };
}

/** Splits the texts of lists at their commas, as queries may join them: those that no message has as a whole. */
export function splitTexts(
  desc: DescMessage,
  equal: readonly Equality[],
  entries: readonly { readonly message: Message }[],
): readonly Equality[] {
  return equal.map((equality) => {
    const { asked, wanted } = equality;
    if (asked.fieldKind !== "list" || asked.scalar !== ScalarType.STRING) return equality;
    const isKnown = (text: string): boolean => {
      const matches = matchesAll(desc, [{ ...equality, wanted: [text] }]);
      return entries.some(({ message }) => matches(message));
    };
    const texts = wanted as readonly string[];
    return {
      ...equality,
      wanted: texts.flatMap((text) => (text.includes(",") && !isKnown(text) ? text.split(",") : [text])),
    };
  });
}

/** Whether a text field of a message contains this text, ignoring case. */
export function matchesText(desc: DescMessage, text: string): Matches {
  const wanted = text.toLowerCase();
  const fields = desc.fields.filter((field) => field.fieldKind === "scalar" && field.scalar === ScalarType.STRING);
  return (message) => {
    const reading = reflect(desc, message, false);
    return fields.some((field) => reading.get(field).toLowerCase().includes(wanted));
  };
}

const term =
  /^\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*(=|!=|:|<=|>=|<|>)\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'()]+)\s*(?:AND\s+|$)/;

/** The value of a field as a filter writes it; empty inside a message that is not set. */
type TextOf = (message: Message) => string;

/** What the terms of a filter ask of one field, which is read once however many they are. */
interface Comparison {
  readonly text: TextOf;
  readonly equal: Set<string>;
  readonly unequal: Set<string>;
}

/** Undefined if the type has no such field, or one that cannot be compared. */
function textAt(desc: DescMessage, [name = "", ...rest]: readonly string[]): TextOf | undefined {
  const field = desc.fields.find((candidate) => candidate.name === name || candidate.jsonName === name);
  if (field === undefined) return undefined;
  if (rest.length > 0) {
    const inner = field.fieldKind === "message" ? textAt(field.message, rest) : undefined;
    if (inner === undefined || field.fieldKind !== "message") return undefined;
    return (message) => {
      const reading = reflect(desc, message, false);
      return reading.isSet(field) ? inner(reading.get(field).message) : "";
    };
  }
  if (field.fieldKind === "scalar") return (message) => String(reflect(desc, message, false).get(field));
  if (field.fieldKind !== "enum") return undefined;
  return (message) => {
    const number = reflect(desc, message, false).get(field);
    return field.enum.values.find((value) => value.number === number)?.name ?? `${number}`;
  };
}

function namesOf({ fields }: DescMessage): readonly string[] {
  return fields.flatMap(({ name, fieldKind }) => (fieldKind === "scalar" || fieldKind === "enum" ? [name] : []));
}

/**
 * Parses a filter. Throws INVALID_ARGUMENT for unknown fields, and UNIMPLEMENTED for everything except equalities joined by AND: ignoring the rest
 * would return too many entries.
 */
export function filterOf(desc: DescMessage, filter: string, fieldName: string): Matches {
  const byPath = new Map<string, Comparison>();
  for (let rest = filter; rest.trim() !== "";) {
    const [read, path = "", operator = "", value = ""] = term.exec(rest) ?? [];
    if (read === undefined || !["=", "!=", ":"].includes(operator)) {
      throw new CallError(
        "UNIMPLEMENTED",
        `${fieldName}: the fake supports only \`field = value\` and \`AND\`: write a stub for other filters`,
      );
    }
    const plain = /^["']/.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/g, "$1") : value;
    const text = byPath.get(path)?.text ?? textAt(desc, path.split("."));
    if (text === undefined) {
      const hint = suggestion(path, namesOf(desc));
      throw invalid(fieldName, `${desc.name} has no field "${path}" to compare${hint}`, "filter");
    }
    const comparison = byPath.get(path) ?? { text, equal: new Set(), unequal: new Set() };
    byPath.set(path, comparison);
    (operator === "!=" ? comparison.unequal : comparison.equal).add(plain);
    rest = rest.slice(read.length);
  }
  const comparisons = [...byPath.values()];
  return (message) =>
    comparisons.every(({ text, equal, unequal }) => {
      const value = text(message);
      // No value equals two different ones.
      return (equal.size === 0 || (equal.size === 1 && equal.has(value))) && !unequal.has(value);
    });
}

/** Sorts resources. */
export type Sort = <E extends { readonly message: Message }>(entries: readonly E[]) => readonly E[];

/** Sorts by fields, as in AIP-132: `price desc, name`. Throws INVALID_ARGUMENT for unknown fields. */
export function orderOf(desc: DescMessage, orderBy: string, fieldName: string): Sort {
  const signs = new Map<DescField & { fieldKind: "scalar" | "enum" }, number>();
  for (const part of orderBy.split(",")) {
    const [name = "", direction = "asc"] = part.trim().split(/\s+/);
    const field = desc.fields.find((candidate) => candidate.name === name);
    if (
      field === undefined ||
      (field.fieldKind !== "scalar" && field.fieldKind !== "enum") ||
      !/^(?:asc|desc)$/i.test(direction)
    ) {
      const hint = field === undefined ? suggestion(name, namesOf(desc)) : "";
      throw invalid(fieldName, `cannot order ${desc.name} by "${part.trim()}"${hint}`, "order_by");
    }
    // What is equal by a field is equal if it is named again.
    if (!signs.has(field)) signs.set(field, direction.toLowerCase() === "desc" ? -1 : 1);
  }
  const keys = [...signs];
  return (entries) => {
    const rows = entries.map((entry) => {
      const reading = reflect(desc, entry.message, false);
      return { entry, values: keys.map(([field]) => reading.get(field) as string) };
    });
    const sorted = rows.toSorted(({ values: left }, { values: right }) => {
      for (const [at, [, sign]] of keys.entries()) {
        const [a, b] = [left[at] as string, right[at] as string];
        if (a !== b) return a < b ? -sign : sign;
      }
      return 0;
    });
    return sorted.map(({ entry }) => entry);
  };
}
