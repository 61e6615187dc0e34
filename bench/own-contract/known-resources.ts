// The known resources of a server: messages from its answers, by type. They provide names, ids and parents for further requests.
import {
  clearField,
  clone,
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Operation } from "@roundtrip/contract";
import { hasKeys } from "@roundtrip/contract/resources";
import { snakeCase } from "@roundtrip/contract/resources";
import { pathExample, type PathExample } from "@roundtrip/fakes/parts";

/** Enough of one type to request the first of them. */
const mostOfType = 20;
const maxDepth = 4;
/** Of known resources in one request: where an answer repeats its request, each would otherwise contain all before it, and twice what the last had. */
const mostBytes = 16_384;

type Key = string | number | bigint;

function shortName(typeName: string): string {
  return typeName.split(".").at(-1) ?? typeName;
}

/** The noun in the name of a method: `Book` of `GetBook`. */
function nounOf({ method }: Operation): string {
  return method.name.replace(/^[A-Z][a-z]+/, "");
}

/** A copy without the fields that a server assigns to a new resource. */
function unnamed(message: Message, desc: DescMessage): Message {
  const copy = clone(desc, message);
  for (const field of desc.fields) if (["name", "id", "uid"].includes(field.name)) clearField(copy, field);
  return copy;
}

/** A type of which a resource is known. */
interface KnownType {
  readonly typeName: string;
  readonly shortName: string;
}

export class KnownResources {
  readonly #byType = new Map<string, Message[]>();
  /** Type names by what a field that refers to one is called: `book` for `Book`. */
  readonly #byField = new Map<string, string[]>();
  /** Those with the longest names first; undefined after a new one. A contract may have thousands, and each request asks for them. */
  #longestFirst: readonly KnownType[] | undefined;
  /** The names in all answers: texts with a slash in fields called `name`. */
  readonly #names = new Set<string>();

  /** Adds the resources in an answer. */
  learn(desc: DescMessage, message: Message): void {
    this.#learn(reflect(desc, message, false), 0);
  }

  #learn(message: ReflectMessage, depth: number): void {
    if (depth > maxDepth || message.desc.typeName.startsWith("google.protobuf.")) return;
    this.#keep(message);
    for (const field of message.fields) {
      if (!message.isSet(field)) continue;
      if (field.fieldKind === "scalar" && field.name === "name") this.#names.add(String(message.get(field)));
      if (field.fieldKind === "message") this.#learn(message.get(field), depth + 1);
      if (field.fieldKind === "list" && field.listKind === "message") {
        for (const item of message.get(field)) this.#learn(item as ReflectMessage, depth + 1);
      }
    }
  }

  #keep({ desc: { typeName }, message }: ReflectMessage): void {
    const known = this.#byType.get(typeName);
    if (known !== undefined) {
      if (known.length < mostOfType) known.push(message);
      return;
    }
    this.#byType.set(typeName, [message]);
    const field = snakeCase(shortName(typeName));
    this.#byField.set(field, [...(this.#byField.get(field) ?? []), typeName]);
    this.#longestFirst = undefined;
  }

  #first(desc: DescMessage): Message | undefined {
    return this.#byType.get(desc.typeName)?.[0];
  }

  /** The types that an operation may refer to: its answer, the noun of its name, and the noun of its service. */
  #typesOf({ output, method }: Operation, noun: string): readonly string[] {
    const known = (this.#longestFirst ??= [...this.#byType.keys()]
      .toSorted((one, other) => other.length - one.length)
      .map((typeName) => ({ typeName, shortName: shortName(typeName) })));
    const namedIn = (text: string): readonly string[] =>
      known.filter((type) => text.startsWith(type.shortName)).map(({ typeName }) => typeName);
    return [output.typeName, ...namedIn(noun), ...namedIn(method.parent.name)];
  }

  #keyOf(
    message: Message | undefined,
    desc: DescMessage | undefined,
    names: readonly string[],
    scalar: ScalarType,
  ): Key | undefined {
    if (message === undefined || desc === undefined) return undefined;
    const values = reflect(desc, message, false);
    for (const name of names) {
      const field = desc.fields.find((one) => one.name === name);
      if (field === undefined || !hasKeys(field) || field.scalar !== scalar || !values.isSet(field)) continue;
      return values.get(field) as Key;
    }
    return undefined;
  }

  #nameFor({ pattern, example }: PathExample): string {
    return [...this.#names].find((name) => pattern.test(name)) ?? example;
  }

  /** A known value for a field of a request; undefined if nothing similar is known. */
  #valueFor(
    operation: Operation,
    field: DescField & { fieldKind: "scalar" },
    descOf: (typeName: string) => DescMessage | undefined,
  ): Key | undefined {
    const variable = pathExample(operation.bindings[0], [field.name]);
    if (variable !== undefined) return this.#nameFor(variable);
    const noun = nounOf(operation);
    const own = this.#typesOf(operation, noun);
    const byField = field.name.replace(/_(?:id|name|uuid|key)$/, "");
    const meant = this.#byField.get(byField) ?? [];
    for (const typeName of [...meant, ...own]) {
      const desc = descOf(typeName);
      if (desc === undefined) continue;
      const isOther = !meant.includes(desc.typeName);
      const rest = field.name.slice(byField.length + 1);
      const names = isOther
        ? [field.name, ...(rest === "" ? [] : [rest])]
        : [field.name, ...(rest === "" ? ["name", "id"] : [rest])];
      const value = this.#keyOf(this.#first(desc), desc, names, field.scalar);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The request with known values: existing names and ids, and complete resources for updates. */
  asking(operation: Operation, request: Message, descOf: (typeName: string) => DescMessage | undefined): Message {
    const filled = reflect(operation.input, clone(operation.input, request), false);
    const creates = /^(?:Create|Add|Insert|Register)/.test(operation.method.name);
    let bytes = 0;
    for (const field of operation.input.fields) {
      // A field that the request leaves out is not asked for, or has no place in the URL.
      const known = field.fieldKind === "message" && filled.isSet(field) ? this.#first(field.message) : undefined;
      if (field.fieldKind === "message" && known !== undefined) bytes += toBinary(field.message, known).length;
      if (field.fieldKind === "message" && known !== undefined && bytes <= mostBytes) {
        filled.set(
          field,
          reflect(
            field.message,
            creates ? unnamed(filled.get(field).message, field.message) : clone(field.message, known),
            false,
          ),
        );
      }
      if (!hasKeys(field)) continue;
      const value = this.#valueFor(operation, field, descOf);
      if (value !== undefined) filled.set(field, value);
    }
    for (const { fieldPath } of operation.bindings[0].path.variables) {
      if (fieldPath.length > 1) this.#fillPath(operation, filled, fieldPath);
    }
    return filled.message;
  }

  /** Fills the parts of a path that are nested in the request, such as `book.name`, and do not match it yet. */
  #fillPath(operation: Operation, request: ReflectMessage, fieldPath: readonly string[]): void {
    const variable = pathExample(operation.bindings[0], fieldPath);
    let at = request;
    for (const name of fieldPath.slice(0, -1)) {
      const field = at.fields.find((one) => one.name === name);
      if (field?.fieldKind !== "message") return;
      if (!at.isSet(field)) at.set(field, reflect(field.message, undefined, false));
      at = at.get(field);
    }
    const field = at.fields.find((one) => one.name === fieldPath.at(-1));
    if (variable === undefined || field?.fieldKind !== "scalar" || field.scalar !== ScalarType.STRING) return;
    if (!variable.pattern.test(at.get(field))) at.set(field, this.#nameFor(variable));
  }
}
