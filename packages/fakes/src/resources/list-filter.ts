// Filters and orders lists: by fields of the request that the resource also has, by the equalities of a filter (AIP-160), and by `order_by`.
import { ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { CallError } from "@roundtrip/contract";
import { sharedFields } from "../answers/echoed.ts";
import { invalid } from "./resource-errors.ts";

export type Matches = (message: Message) => boolean;

/** Fields about the list itself rather than about its entries. */
const aboutTheList =
  /^(?:parent|page|page_size|page_token|page_number|cursor|limit|offset|skip|max_results|per_page|filter|order_by|sort|query|q|search|show_deleted|read_mask|request_id)$/;

/** Fields of a list request that filter it: singular, simple fields with the same name and type as the resource's. */
export function equalities(
  input: DescMessage,
  resource: DescMessage,
  parent: DescField | undefined,
): (request: Message) => readonly (readonly [DescField, unknown])[] {
  const pairs = sharedFields(input, resource).filter(
    ([field]) =>
      (field.fieldKind === "scalar" || field.fieldKind === "enum") &&
      !aboutTheList.test(field.name) &&
      field !== parent,
  );
  if (pairs.length === 0) return () => [];
  return (request) => {
    const reading = reflect(input, request, false);
    return pairs.flatMap(([from, to]) => (reading.isSet(from) ? [[to, reading.get(from)] as const] : []));
  };
}

export function matchesAll(desc: DescMessage, wanted: readonly (readonly [DescField, unknown])[]): Matches {
  return (message) => {
    const reading = reflect(desc, message, false);
    return wanted.every(([field, value]) => reading.get(field) === value);
  };
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

function textOf(desc: DescMessage, path: readonly string[], message: Message, fail: () => never): string {
  const [name = "", ...rest] = path;
  const field = desc.fields.find((one) => one.name === name || one.jsonName === name) ?? fail();
  const reading = reflect(desc, message, false);
  if (rest.length > 0) {
    if (field.fieldKind !== "message") return fail();
    return reading.isSet(field) ? textOf(field.message, rest, reading.get(field).message, fail) : "";
  }
  if (field.fieldKind === "enum") {
    const number = reading.get(field);
    return field.enum.values.find((value) => value.number === number)?.name ?? `${number}`;
  }
  return field.fieldKind === "scalar" ? String(reading.get(field)) : fail();
}

/**
 * Parses a filter. Throws INVALID_ARGUMENT for unknown fields, and UNIMPLEMENTED for everything except equalities joined by AND: ignoring the rest
 * would return too many entries.
 */
export function filterOf(desc: DescMessage, filter: string, fieldName: string): Matches {
  const terms: { readonly path: readonly string[]; readonly isEqual: boolean; readonly value: string }[] = [];
  for (let rest = filter; rest.trim() !== "";) {
    const [read, path = "", operator = "", value = ""] = term.exec(rest) ?? [];
    if (read === undefined || !["=", "!=", ":"].includes(operator)) {
      throw new CallError(
        "UNIMPLEMENTED",
        `${fieldName}: the fake supports only \`field = value\` and \`AND\`: write a stub for other filters`,
      );
    }
    const plain = /^["']/.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/g, "$1") : value;
    terms.push({ path: path.split("."), isEqual: operator !== "!=", value: plain });
    rest = rest.slice(read.length);
  }
  return (message) =>
    terms.every(({ path, isEqual, value }) => {
      const fail = (): never => {
        throw invalid(fieldName, `${desc.name} has no field "${path.join(".")}" to compare`, "filter");
      };
      return (textOf(desc, path, message, fail) === value) === isEqual;
    });
}

/** Compares by fields, as in AIP-132: `price desc, name`. Throws INVALID_ARGUMENT for unknown fields. */
export function orderOf(
  desc: DescMessage,
  orderBy: string,
  fieldName: string,
): (one: Message, other: Message) => number {
  const keys = orderBy.split(",").map((part) => {
    const [name = "", direction = "asc"] = part.trim().split(/\s+/);
    const field = desc.fields.find((one) => one.name === name);
    if (
      field === undefined ||
      (field.fieldKind !== "scalar" && field.fieldKind !== "enum") ||
      !/^(?:asc|desc)$/i.test(direction)
    ) {
      throw invalid(fieldName, `cannot order ${desc.name} by "${part.trim()}"`, "order_by");
    }
    return { field, sign: direction.toLowerCase() === "desc" ? -1 : 1 };
  });
  return (one, other) => {
    const [left, right] = [reflect(desc, one, false), reflect(desc, other, false)];
    for (const { field, sign } of keys) {
      const [a, b] = [left.get(field), right.get(field)] as readonly [string, string];
      if (a !== b) return a < b ? -sign : sign;
    }
    return 0;
  };
}
