// Idiomatic GraphQL names. If two elements want the same name, the first in the contract's order gets it, the other a longer one.
import type { DescEnum, DescField, DescMessage, DescMethod, DescOneof } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { answerNames, containsType, isAnswer, type Operation, readAnswerLike } from "@roundtrip/contract";
import { changedFields, wholeRequires } from "@roundtrip/contract/field-rules";
import type { ValueType, Shape } from "./shape.ts";
import type { Choice, Part } from "../values/convert.ts";

export class NameRegistry {
  readonly #taken: Set<string>;
  /** The number to try next behind a name. */
  readonly #numbers = new Map<string, number>();

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  /** The first unused candidate; otherwise the last one with a number appended. */
  claim(candidates: readonly string[]): string {
    const last = candidates.at(-1) ?? "";
    let name = candidates.find((candidate) => !this.#taken.has(candidate));
    for (let number = this.#numbers.get(last) ?? 2; name === undefined; number++) {
      if (!this.#taken.has(`${last}${number}`)) name = `${last}${number}`;
      this.#numbers.set(last, number + 1);
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
function upperFirst(name: string): string {
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

/** Candidates for what a field refers to: `customerId` → `customer`; `site` → `siteResource`, and `sites` → `sitesResources`. */
export function referenceEdgeNames(field: string, isList: boolean): readonly string[] {
  const stem = /^(.+)(?:Id|Name)s?$/.exec(field)?.[1];
  const long = `${stem ?? field}Resource${isList ? "s" : ""}`;
  const isShort = stem !== undefined && !isList && !(stem in Object.prototype);
  return isShort ? [stem, long] : [long];
}

/** Candidates for a List of a message's resource: `ListSites` of a shipper → `sites`, `listSites`, `shipperListSites`. */
export function listEdgeNames(method: DescMethod, parent: DescMessage): readonly string[] {
  const [short = "", long = ""] = rootFieldNames(method, true);
  return [short, long, `${lowerFirst(parent.name)}${method.name}`];
}

/** Candidates for enums, and for messages that are not the answer of one operation. */
function entityNames(desc: DescMessage | DescEnum): readonly string[] {
  return withLonger(desc, [], "");
}

/** Candidates for the mask enum of a message. */
function fieldEnumNames(message: DescMessage): readonly string[] {
  return withLonger(message, [], "Field");
}

/** Candidates for the answer of one operation: by content, else `CountResponse` → `CountResult`; mutations `TransferResponse` → `TransferPayload`. */
function responseNames(message: DescMessage, isQuery: boolean): readonly string[] {
  const base = message.name.slice(0, -"Response".length);
  return withLonger(message, [...answerNames(message), `${base}${isQuery ? "Result" : "Payload"}`], "");
}

/** `CreateCustomerRequest` → `CreateCustomerInput`, `Customer` → `CustomerInput`. */
function inputNames(message: DescMessage): readonly string[] {
  const request = /^(.+)Request$/.exec(ownName(message))?.[1];
  return withLonger(message, request === undefined ? [] : [`${request}Input`], "Input");
}

/** The messages that a message may have in part: lists and maps are changed as a whole. */
function changedInside({ fields }: DescMessage): readonly DescMessage[] {
  return fields.flatMap(({ fieldKind, message }) => (fieldKind === "message" ? [message] : []));
}

/** Whether an input of the type requires what a patch may leave out. */
const differsInPart = containsType(
  ({ fields }) => fields.some((field) => wholeRequires(field) && field.presence !== Presence.LEGACY_REQUIRED),
  changedInside,
);

/** Candidates for the types of a oneof: `kind` of `Drawing` → `DrawingKind` and `DrawingKindInput`. */
function choiceNames(owner: string, name: string, suffix: string): readonly string[] {
  const wanted = `${owner}${upperFirst(name)}`;
  return [`${wanted}${suffix}`, `${wanted}Oneof${suffix}`];
}

// Names every type of a schema.

/** Whether a type is received, sent, or sent in part by an update with a mask: GraphQL has separate types. */
export type Direction = "output" | "input" | "patch";

/** The scalars that this mapping adds to GraphQL's own. */
const customScalars = ["Int64", "UInt64", "UInt32", "Double", "Base64", "DateTime", "Duration", "JSON"] as const;

const reserved = ["Query", "Mutation", "Subscription", "String", "Int", "Float", "Boolean", "ID", ...customScalars];

interface MessageContents {
  shapes(message: DescMessage): readonly Shape[];
  parts(message: DescMessage): readonly Part[];
}

/** Assigns names in the order in which the contract first uses types: data, answers of queries, answers of mutations, requests. */
export class Naming {
  readonly #types = new NameRegistry(reserved);
  readonly #contents: MessageContents;
  readonly #outputs = new Map<DescMessage, string>();
  readonly #inputs = new Map<DescMessage, string>();
  /** Of messages that updates change in part; the name of the input where both are the same. */
  readonly #patches = new Map<DescMessage, string>();
  readonly #messages = { output: this.#outputs, input: this.#inputs, patch: this.#patches };
  readonly #enums = new Map<DescEnum, string>();
  readonly #fieldEnums = new Map<DescMessage, string>();
  readonly #entries = new Map<string, string>();
  readonly #unions = new Map<DescOneof, string>();
  readonly #oneofInputs = new Map<DescOneof, string>();
  readonly #members = new Map<DescField, string>();

  constructor(operations: readonly Operation[], contents: MessageContents) {
    this.#contents = contents;
    const outputs = this.#reachable(operations.map(({ output }) => output));
    const inputs = this.#reachable(operations.map(({ input }) => input));
    const answers = new Set(operations.map(({ output }) => output).filter((message) => isAnswer(message)));
    const asked = new Set(operations.filter(({ sideEffects }) => sideEffects === "none").map(({ output }) => output));
    for (const message of outputs) {
      if (!answers.has(message)) this.#outputs.set(message, this.#types.claim(entityNames(message)));
    }
    for (const message of [...outputs, ...inputs]) this.#nameEnums(message);
    for (const message of outputs) {
      if (answers.has(message) && asked.has(message)) {
        this.#outputs.set(message, this.#types.claim(responseNames(message, true)));
      }
    }
    for (const message of outputs) {
      if (!answers.has(message) || asked.has(message)) continue;
      const alike = readAnswerLike(message, operations);
      const name = alike === undefined ? undefined : this.#outputs.get(alike);
      this.#outputs.set(message, name ?? this.#types.claim(responseNames(message, false)));
    }
    for (const message of inputs) this.#inputs.set(message, this.#types.claim(inputNames(message)));
    for (const message of this.#changedBy(inputs)) {
      const isInput = !differsInPart(message) || !this.#inputs.has(message);
      const name = isInput ? this.#inputs.get(message) : this.#types.claim(withLonger(message, [], "Patch"));
      if (name !== undefined) this.#patches.set(message, name);
    }
    for (const message of outputs) this.#nameEntries(message, "output");
    for (const message of inputs) this.#nameEntries(message, "input");
    for (const message of outputs) this.#nameUnions(message);
    for (const message of inputs) this.#nameOneofInputs(message);
  }

  #reachable(from: readonly DescMessage[]): ReadonlySet<DescMessage> {
    const found = new Set<DescMessage>();
    // Depth first without recursion: a chain of ten thousand types would overflow the stack. The last push is visited first.
    const left = from.toReversed();
    for (let message = left.pop(); message !== undefined; message = left.pop()) {
      if (found.has(message)) continue;
      found.add(message);
      for (const { value } of this.#contents.shapes(message).toReversed()) {
        if (value.kind === "message") left.push(value.message);
      }
    }
    return found;
  }

  /** The messages that these requests change in part. */
  #changedBy(requests: Iterable<DescMessage>): ReadonlySet<DescMessage> {
    const changed = [...requests].flatMap((request) => [...changedFields(request)].map(({ message }) => message));
    const found = new Set(changed.filter((message) => message !== undefined));
    // The loop also visits types that it adds.
    for (const message of found) for (const inner of changedInside(message)) found.add(inner);
    return found;
  }

  #nameEnums(message: DescMessage): void {
    for (const { value } of this.#contents.shapes(message)) {
      if (value.kind === "enum" && !this.#enums.has(value.enum)) {
        this.#enums.set(value.enum, this.#types.claim(entityNames(value.enum)));
      }
      if (value.kind === "fields" && !this.#fieldEnums.has(value.message)) {
        this.#fieldEnums.set(value.message, this.#types.claim(fieldEnumNames(value.message)));
      }
    }
  }

  #choices(message: DescMessage): readonly Choice[] {
    return this.#contents.parts(message).flatMap((part) => ("members" in part ? [part] : []));
  }

  #nameUnions(message: DescMessage): void {
    for (const { oneof, name, members } of this.#choices(message)) {
      const union = this.#types.claim(choiceNames(this.#outputs.get(message) ?? "", name, ""));
      this.#unions.set(oneof, union);
      for (const { field, name: member } of members) {
        const wanted = `${union}${upperFirst(member)}`;
        this.#members.set(field, this.#types.claim([wanted, `${wanted}Member`]));
      }
    }
  }

  #nameOneofInputs(message: DescMessage): void {
    const owner = (this.#inputs.get(message) ?? "").replace(/Input$/, "");
    for (const { oneof, name } of this.#choices(message)) {
      this.#oneofInputs.set(oneof, this.#types.claim(choiceNames(owner, name, "Input")));
    }
  }

  #nameEntries(message: DescMessage, direction: "output" | "input"): void {
    const names = this.#messages[direction];
    for (const { arrangement, field, name } of this.#contents.shapes(message)) {
      if (arrangement !== "map") continue;
      const owner = (names.get(message) ?? "").replace(/Input$/, "");
      const entry = `${owner}${upperFirst(name)}Entry${direction === "input" ? "Input" : ""}`;
      this.#entries.set(`${direction} ${field.toString()}`, this.#types.claim([entry]));
    }
  }

  value(value: ValueType, direction: Direction): string {
    switch (value.kind) {
      case "leaf":
        return value.leaf.type;
      case "presence":
        return "Boolean";
      case "enum":
        return this.#enums.get(value.enum) ?? "";
      case "fields":
        return this.#fieldEnums.get(value.message) ?? "";
      case "message":
        return this.#messages[direction].get(value.message) ?? "";
    }
  }

  /** The union or one-of input of a oneof. */
  choice({ oneof }: Choice, direction: Direction): string {
    return (direction === "output" ? this.#unions : this.#oneofInputs).get(oneof) ?? "";
  }

  /** The object type with a oneof member as its only field. */
  member({ field }: Shape): string {
    return this.#members.get(field) ?? "";
  }

  entry(field: DescField, direction: Direction): string {
    return this.#entries.get(`${direction === "output" ? "output" : "input"} ${field.toString()}`) ?? "";
  }
}
