// Finds the edges of a contract: fields that refer to a resource with a standard Get (AIP-131), read by BatchGet (AIP-231) where the contract has one,
// and Lists (AIP-132) with a parent. What a field refers to is what `google.api.resource_reference` says.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { memoize, typesIn } from "../descriptors/components.ts";
import type { Contract, Operation } from "../descriptors/contract.ts";
import { variablePattern } from "../descriptors/path-template.ts";
import { limitsOf, requiresValue } from "../validation/field-rules.ts";
import { keyFieldNames } from "./find-resources.ts";
import { aliasesOf, isKeyField, nameOf, soleMessageField } from "./names.ts";
import { fieldOfPart } from "./resource.ts";
import { referenceOption, type ResourceOption, resourceOption } from "./resource-options.ts";

/** A method that reads a resource by its key, and nothing else. */
export interface Lookup {
  readonly operation: Operation;
  /** The key in the request. */
  readonly key: DescField;
}

/** A method that reads several resources by their keys. */
export interface BatchLookup {
  readonly operation: Operation;
  readonly keys: DescField;
  /** The field for what all keys of a request have in common; undefined if none is required. */
  readonly parent: DescField | undefined;
  /** The resources in the answer. */
  readonly items: DescField;
  /** The key in each of them. */
  readonly ownKey: DescField;
  readonly maxKeys: number;
}

/** A field with the key of a resource, or a list of keys. */
export interface ReferenceEdge {
  readonly field: DescField;
  readonly get: Lookup;
  readonly batchGet: BatchLookup | undefined;
}

/** A list of what belongs to a resource. */
export interface ListEdge {
  /** The parent's key in its message. */
  readonly ownKey: DescField;
  /** The List, whose key is the parent's. */
  readonly list: Lookup;
}

/** A reference that is no edge. */
export interface PlainReference {
  readonly field: DescField;
  /** For example `the contract has no GetSite`. */
  readonly reason: string;
}

export interface Edges {
  readonly references: readonly ReferenceEdge[];
  readonly lists: readonly ListEdge[];
  readonly plain: readonly PlainReference[];
}

/** Where the contract sets no limit. */
const defaultBatch = 20;

function reads({ kind, sideEffects }: Operation): boolean {
  return kind === "unary" && sideEffects === "none";
}

function packageOf({ file }: Pick<DescMessage, "file">): string {
  return file.proto.package;
}

/** The candidates in a field's package, else those in their own resource's package, else all. */
function nearest<T extends { readonly operation: Operation }>(
  candidates: readonly T[],
  field: DescField,
): readonly T[] {
  const at = ({ operation }: T): string => packageOf(operation.method.parent);
  const near = candidates.filter((candidate) => at(candidate) === packageOf(field.parent));
  if (near.length > 0) return near;
  const own = candidates.filter((candidate) => at(candidate) === packageOf(candidate.operation.output));
  return own.length > 0 ? own : candidates;
}

function alsoRequired({ input }: Operation, known: readonly (DescField | undefined)[]): readonly DescField[] {
  return input.fields.filter((field) => requiresValue(field) && !known.includes(field));
}

class EdgeFinder {
  readonly #contract: Contract;
  readonly #messages: readonly DescMessage[];
  readonly #resources = new Map<DescMessage, ResourceOption>();
  readonly #gets: ReadonlyMap<string, readonly { readonly operation: Operation }[]>;

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#messages = [...typesIn(contract.operations.map(({ output }) => output))];
    for (const message of this.#messages) {
      const option = resourceOption(contract, message);
      if (option !== undefined && option.type !== "") this.#resources.set(message, option);
    }
    const gets = contract.operations.filter(
      (operation) => reads(operation) && operation.method.name === `Get${operation.output.name}`,
    );
    this.#gets = Map.groupBy(
      gets.map((operation) => ({ operation })),
      ({ operation }) => this.#resources.get(operation.output)?.type ?? "",
    );
  }

  find(): Edges {
    const references: ReferenceEdge[] = [];
    const plain: PlainReference[] = [];
    for (const field of this.#messages.flatMap(({ fields }) => fields)) {
      const found = this.#reference(field);
      if (found === undefined) continue;
      if (typeof found === "string") plain.push({ field, reason: found });
      else references.push(found);
    }
    const lists = this.#contract.operations.flatMap((operation) => this.#lists(operation));
    return { references, lists, plain };
  }

  /** The edge of a field, or why it has none; undefined for a field that refers to nothing else. */
  #reference(field: DescField): ReferenceEdge | string | undefined {
    const option = referenceOption(this.#contract, field);
    if (option === undefined) return undefined;
    const { type, childType } = option;
    if (type === "") return childType === "" ? undefined : `it refers to any parent of ${childType}`;
    if (type === "*") return "it refers to resources of any type";
    const own = this.#resources.get(field.parent);
    if (own?.type === type && (own.nameField === field.name || this.#ownKey(field.parent)?.name === field.name)) {
      return undefined;
    }
    if (field.scalar === undefined || field.fieldKind === "map") return "its value is no key";
    const [found, ...others] = nearest(this.#gets.get(type) ?? [], field);
    if (found === undefined) return `no method without side effects gets ${type}`;
    const { operation } = found;
    if (others.length > 0) {
      return `${[found, ...others].map((get) => get.operation.id).join(" and ")} get ${type}`;
    }
    const key = this.#keyOf(operation);
    if (key === undefined) return `${operation.id} has no single key`;
    const [also] = alsoRequired(operation, [key]);
    if (also !== undefined) return `${operation.id} requires ${also.name} too`;
    if (key.scalar !== field.scalar) return `the key of ${operation.id} has another type`;
    return { field, get: { operation, key }, batchGet: this.#batchGet(operation, key, type) };
  }

  #keyOf(get: Operation): DescField | undefined {
    const [name, ...others] = keyFieldNames(get, nameOf(get.output));
    return others.length > 0 ? undefined : get.input.fields.find((field) => field.name === name);
  }

  #ownKey(message: DescMessage): DescField | undefined {
    const option = this.#resources.get(message);
    const get = (this.#gets.get(option?.type ?? "") ?? []).find(({ operation }) => operation.output === message);
    const key = get === undefined ? undefined : this.#keyOf(get.operation);
    if (key !== undefined) return this.#sameKey(message, key);
    // Some resources call their name resource_name, and something else name.
    const keys = ["resource_name", option?.nameField]
      .map((name) => message.fields.find((field) => field.name === name))
      .filter((field) => field !== undefined && isKeyField(field));
    return keys.find((field) => referenceOption(this.#contract, field)?.type === option?.type) ?? keys.at(-1);
  }

  #sameKey(message: DescMessage, { name, scalar }: DescField): DescField | undefined {
    if (scalar === undefined) return undefined;
    return fieldOfPart(message, { name, aliases: aliasesOf(name, nameOf(message)), scalar });
  }

  #batchGet(get: Operation, key: DescField, type: string): BatchLookup | undefined {
    const found = this.#contract.operations
      .filter((operation) => reads(operation) && operation.method.name.startsWith("BatchGet"))
      .filter(({ method }) => packageOf(method.parent) === packageOf(get.method.parent));
    for (const operation of found) {
      const items = soleMessageField(operation.output, "list");
      const ownKey = this.#sameKey(get.output, key);
      if (items?.message !== get.output || ownKey === undefined) continue;
      const [keys, ...others] = operation.input.fields.filter((field) => this.#areKeys(field, key, type));
      if (keys === undefined || others.length > 0) continue;
      const parent = operation.input.fields.find(
        (field) => field.name === "parent" && isKeyField(field) && requiresValue(field),
      );
      if (alsoRequired(operation, [keys, parent]).length > 0) continue;
      // What keys have in common is the begin of their names.
      if (parent !== undefined && (parent.scalar !== key.scalar || key.name !== "name")) continue;
      return { operation, keys, parent, items, ownKey, maxKeys: limitsOf(keys).maxItems ?? defaultBatch };
    }
    return undefined;
  }

  #areKeys(field: DescField, { scalar, name }: DescField, type: string): boolean {
    if (field.fieldKind !== "list" || field.scalar !== scalar) return false;
    const option = referenceOption(this.#contract, field);
    return option === undefined ? field.name === `${name}s` || field.name.endsWith(`_${name}s`) : option.type === type;
  }

  #lists(operation: Operation): readonly ListEdge[] {
    if (!reads(operation) || !/^List[A-Z]/.test(operation.method.name)) return [];
    const listed = soleMessageField(operation.output, "list")?.message;
    if (listed === undefined || !this.#resources.has(listed)) return [];
    const key = this.#parentField(operation);
    if (key === undefined) return [];
    const isKey = keyTest({ operation, key });
    return this.#parentsFor(key).flatMap((parent): readonly ListEdge[] => {
      const ownKey = this.#ownKey(parent);
      const names = this.#resources.get(parent)?.patterns.map((pattern) => pattern.join("/")) ?? [];
      // Lists of one type may be below other parents.
      if (key.scalar === ScalarType.STRING && names.length > 0 && !names.some(isKey)) return [];
      return ownKey?.scalar === key.scalar && ownKey !== undefined ? [{ ownKey, list: { operation, key } }] : [];
    });
  }

  /** The field of a List with its parent: `parent`, or the only reference that is in the path or required. */
  #parentField(operation: Operation): DescField | undefined {
    const inPath = operation.bindings[0].path.variables.map(({ fieldPath }) => fieldPath.join("."));
    const referring = operation.input.fields.filter(
      (field) => isKeyField(field) && referenceOption(this.#contract, field) !== undefined,
    );
    const named = referring.find(({ name }) => name === "parent");
    if (named !== undefined) return named;
    const needed = referring.filter((field) => inPath.includes(field.name) || requiresValue(field));
    return needed.length === 1 ? needed[0] : undefined;
  }

  /** The messages that a parent field refers to: of its type, or with the names of which those of its `child_type` go on. */
  #parentsFor(field: DescField): readonly DescMessage[] {
    const { type, childType } = referenceOption(this.#contract, field) ?? { type: "", childType: "" };
    const all = [...this.#resources];
    const above = new Set(
      all
        .filter(([, resource]) => type === "" && resource.type === childType)
        .flatMap(([, { patterns }]) => patterns.map((pattern) => pattern.slice(0, -2).join("/"))),
    );
    const found = all
      .filter(
        ([, resource]) =>
          (type !== "" && resource.type === type) || resource.patterns.some((pattern) => above.has(pattern.join("/"))),
      )
      .map(([message]) => message);
    const near = found.filter((message) => packageOf(message) === packageOf(field.parent));
    return near.length > 0 ? near : found;
  }
}

/** The edges of a contract, in the order of its types and methods. */
export const findEdges = memoize((contract: Contract): Edges => new EdgeFinder(contract).find());

/** Whether a text is a key that a method takes: it is not empty, and fits a path of the method. */
export function keyTest({ operation, key }: Lookup): (text: string) => boolean {
  const patterns = operation.bindings.flatMap(({ path }) => {
    const variable = path.variables.find(({ fieldPath }) => fieldPath.join(".") === key.name);
    return variable === undefined || variable.end - variable.start < 2 ? [] : [variablePattern(path, variable)];
  });
  const isWhole = patterns.length === operation.bindings.length;
  const empty = key.scalar === ScalarType.STRING ? "" : "0";
  return (text) => text !== empty && (!isWhole || patterns.some((pattern) => pattern.test(text)));
}
