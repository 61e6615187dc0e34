// Idiomatic GraphQL names. If two elements want the same name, the first in the contract's order gets it, the other a longer one.
import type { DescEnum, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { answerNames } from "@roundtrip/contract";

export class NameBook {
  readonly #taken: Set<string>;

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  /** The first unused candidate; otherwise the last one with a number appended. */
  claim(candidates: readonly string[]): string {
    const last = candidates.at(-1) ?? "";
    let name = candidates.find((candidate) => !this.#taken.has(candidate));
    for (let number = 2; name === undefined; number++) {
      if (!this.#taken.has(`${last}${number}`)) name = `${last}${number}`;
    }
    this.#taken.add(name);
    return name;
  }
}

/** `VATNumber` → `vatNumber`. */
function lowerFirst(name: string): string {
  return name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/, (start) => start.toLowerCase());
}

/** `VATNumber` from `vat_number`, `Number` from `number`. */
export function upperFirst(name: string): string {
  return name.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

// GraphQL reserves names with two leading underscores.
function allowed(name: string): string {
  return name.replace(/^_+/, "") || "Type";
}

function packagePrefix(desc: DescMessage | DescEnum): string {
  return desc.file.proto.package
    .split(".")
    .map((part) => upperFirst(part))
    .join("");
}

/** `Outer.Inner` of package `a.b` → `OuterInner`. */
function ownName(desc: DescMessage | DescEnum): string {
  const outside = desc.file.proto.package === "" ? 0 : desc.file.proto.package.length + 1;
  return allowed(desc.typeName.slice(outside).split(".").map(upperFirst).join(""));
}

function withLonger(desc: DescMessage | DescEnum, names: readonly string[], suffix: string): readonly string[] {
  const own = `${ownName(desc)}${suffix}`;
  return [...names, own, `${packagePrefix(desc)}${own}`];
}

/** Candidates for a root field: `GetCustomer` → `customer`, `ListCustomers` → `customers`; `CreateCustomer` only loses its capital. */
export function rootFieldNames(method: DescMethod, isQuery: boolean): readonly string[] {
  const full = lowerFirst(method.name);
  const stripped = /^(?:Get|List)([A-Z].*)$/.exec(method.name)?.[1];
  const service = lowerFirst(method.parent.name.replace(/(?<=.)Service$/, ""));
  const names = [full, `${service}${upperFirst(method.name)}`].map((name) => allowed(name));
  return isQuery && stripped !== undefined ? [lowerFirst(stripped), ...names] : names;
}

/** Candidates for enums, and for messages that are not the answer of one operation. */
export function entityNames(desc: DescMessage | DescEnum): readonly string[] {
  return withLonger(desc, [], "");
}

/** Candidates for the mask enum of a message. */
export function fieldEnumNames(message: DescMessage): readonly string[] {
  return withLonger(message, [], "Field");
}

/** Candidates for the answer of one operation: by content, else `CountResponse` → `CountResult`; mutations `TransferResponse` → `TransferPayload`. */
export function responseNames(message: DescMessage, isQuery: boolean): readonly string[] {
  const base = message.name.slice(0, -"Response".length);
  return withLonger(message, [...answerNames(message), `${base}${isQuery ? "Result" : "Payload"}`], "");
}

/** `CreateCustomerRequest` → `CreateCustomerInput`, `Customer` → `CustomerInput`. */
export function inputNames(message: DescMessage): readonly string[] {
  const request = /^(.+)Request$/.exec(ownName(message))?.[1];
  return withLonger(message, request === undefined ? [] : [`${request}Input`], "Input");
}

/** Candidates for the types of a oneof: `kind` of `Drawing` → `DrawingKind` and `DrawingKindInput`. */
export function choiceNames(owner: string, name: string, suffix: string): readonly string[] {
  const wanted = `${owner}${upperFirst(name)}`;
  return [`${wanted}${suffix}`, `${wanted}Oneof${suffix}`];
}
