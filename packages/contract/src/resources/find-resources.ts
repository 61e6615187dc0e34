// Finds the resources of a contract from the names, requests and responses of its methods.
import type { DescMessage, DescService } from "@bufbuild/protobuf";
import type { Contract, Operation } from "../descriptors/contract.ts";
import {
  aliasesOf,
  isKeyField,
  isPluralOf,
  keyNames,
  nameOf,
  nounAfter,
  snakeCase,
  soleMessageField,
  type Verb,
} from "./names.ts";
import { resourceOption } from "./resource-options.ts";
import { fieldOfPart, type KeyPart, type Resource } from "./resource.ts";

/** Whether collections and ids alternate. */
function isFollowed(segments: readonly string[]): boolean {
  return segments.length % 2 === 0 && segments.every((segment, at) => (segment === "*") === (at % 2 === 1));
}

/** The segments of each usable pattern in `google.api.resource`, with variables as `*`. */
function annotatedPatterns(contract: Contract, message: DescMessage): readonly (readonly string[])[] {
  return (resourceOption(contract, message)?.patterns ?? []).filter(isFollowed);
}

/** A standard method, before it is known whether its resource has others. */
interface Candidate {
  readonly verb: Verb;
  readonly operation: Operation;
  readonly message: DescMessage;
  readonly noun: string;
}

/** Whether a message is a request or response wrapper of one method. */
function isAround(contract: Contract, message: DescMessage): boolean {
  return /(?:Request|Response|Reply|Result)$/.test(message.name) && resourceOption(contract, message) === undefined;
}

/** The resource of a method: the message itself, or the only message in its wrapper. */
function messageOf(
  contract: Contract,
  verb: Verb,
  noun: string,
  { input, output, kind }: Operation,
): DescMessage | undefined {
  const isNamed = (message: DescMessage): boolean =>
    noun === "" || message.name === noun || message.name.startsWith(noun);
  if (verb === "list") {
    if (kind === "server_streaming")
      return isAround(contract, output) ? soleMessageField(output, "message")?.message : output;
    const listed = kind === "unary" ? soleMessageField(output, "list")?.message : undefined;
    return listed !== undefined && (noun === "" || isPluralOf(noun, listed.name) || noun.startsWith(listed.name))
      ? listed
      : undefined;
  }
  if (kind !== "unary") return undefined;
  const returned = isAround(contract, output) ? soleMessageField(output, "message")?.message : output;
  if (returned !== undefined && isNamed(returned) && returned.fields.length > 0) return returned;
  if (verb === "get") return undefined;
  const taken = soleMessageField(input, "message")?.message;
  return taken !== undefined && isNamed(taken) ? taken : undefined;
}

function candidatesOf(contract: Contract, operation: Operation): readonly Candidate[] {
  return (["get", "list", "create", "update", "delete"] as const).flatMap((verb) => {
    const noun = nounAfter(verb, operation.method.name);
    if (noun === undefined) return [];
    const message = messageOf(contract, verb, noun, operation);
    return message === undefined ? [] : [{ verb, operation, message, noun }];
  });
}

/** The scalar fields in a request's path, in order. */
function pathFields({ bindings, input }: Operation): readonly string[] {
  const { variables } = bindings[0].path;
  const names = variables.map(({ fieldPath }) => fieldPath.join("."));
  return names.every((name) => input.fields.some((field) => field.name === name && isKeyField(field))) ? names : [];
}

/** The key fields of a request; empty if it has none. */
export function keyFieldNames(operation: Operation, singular: string): readonly string[] {
  const inPath = pathFields(operation);
  if (inPath.length > 0) return inPath;
  const fields = operation.input.fields.filter((field) => isKeyField(field));
  const likely = keyNames(singular).find((name) => fields.some((field) => field.name === name));
  if (likely !== undefined) return [likely];
  return fields.length === 1 ? fields.map(({ name }) => name) : [];
}

function keyOf(
  names: readonly string[],
  from: DescMessage,
  message: DescMessage,
  singular: string,
): readonly KeyPart[] {
  return names.flatMap((name): readonly KeyPart[] => {
    const asked = from.fields.find((field) => field.name === name);
    if (asked === undefined || !isKeyField(asked)) return [];
    const part = { name, aliases: aliasesOf(name, singular), scalar: asked.scalar };
    return [{ ...part, field: fieldOfPart(message, part) }];
  });
}

/** Whether a method answers with one message of a type, in a wrapper or not. */
function answersWith(contract: Contract, { output }: Operation, message: DescMessage): boolean {
  return output === message || (isAround(contract, output) && soleMessageField(output, "message")?.message === message);
}

/** Whether a method is about a created resource by its name; one that is only a verb, by its service. */
function isNamedAfter({ message, operation: { method: create } }: Candidate, { method }: Operation): boolean {
  const isVerb = /^[A-Z][a-z]+$/.test(method.name);
  if (isVerb) return method.parent === create.parent;
  return `_${snakeCase(method.name)}_`.includes(`_${nameOf(message)}_`);
}

/**
 * The method that stands for the get method of a resource that is created, but neither got nor listed: one whose requests have its key, such as
 * PublishArticle, which answers with the resource, or DeleteArticle.
 */
function namingOf(contract: Contract, ofMessage: readonly Candidate[]): readonly Candidate[] {
  const created = ofMessage.find(({ verb }) => verb === "create");
  const isRead = ofMessage.some(({ verb }) => verb === "get" || verb === "list");
  if (isRead || created === undefined || !answersWith(contract, created.operation, created.message)) return [];
  const { message } = created;
  const singular = nameOf(message);
  const operation = contract.operations.find((candidate) => {
    const { input, output, kind, method } = candidate;
    const isRemoval = nounAfter("delete", method.name) === message.name && output.fields.length === 0;
    return (
      candidate !== created.operation &&
      kind === "unary" &&
      // A request that is the resource itself names none.
      input !== message &&
      isNamedAfter(created, candidate) &&
      (isRemoval || answersWith(contract, candidate, message)) &&
      keyOf(keyFieldNames(candidate, singular), input, message, singular).at(-1)?.field !== undefined
    );
  });
  return operation === undefined ? [] : [{ verb: "get", operation, message, noun: message.name }];
}

/** The segments of a name in the path of a method, with variables as `*`; undefined if the path has no such name. A last `**` after `*` is an item of any collection. */
function patternInPath({ bindings }: Operation, name: string): readonly string[] | undefined {
  const { path } = bindings[0];
  // An update has the name inside the resource.
  const variable = path.variables.find(({ fieldPath }) => fieldPath.length <= 2 && fieldPath.at(-1) === name);
  if (variable === undefined || variable.end - variable.start < 2) return undefined;
  const segments = path.segments.slice(variable.start, variable.end);
  const many = segments.findIndex(({ kind }) => kind === "many");
  if (many !== -1 && (many < segments.length - 1 || segments[many - 1]?.kind !== "one")) return undefined;
  return segments.map((segment) => (segment.kind === "literal" ? segment.text : "*"));
}

/** The form of names in a collection below a parent, from the path of its list or create method: `/v1/{parent=hotels/*}/reviews`. */
function patternBelow({ bindings }: Operation): readonly string[] | undefined {
  const { segments, variables } = bindings[0].path;
  const [parent] = variables;
  const collection = segments.at(-1);
  if (parent === undefined || parent.end !== segments.length - 1 || collection?.kind !== "literal") return undefined;
  const above = segments.slice(parent.start, parent.end);
  const pattern = [...above, collection].map((segment) => (segment.kind === "literal" ? segment.text : "*"));
  return isFollowed([...pattern, "*"]) ? [...pattern, "*"] : undefined;
}

/**
 * The name pattern, from the path of the resource's get method if it is one of the annotated patterns or the only one known; from that of another method
 * otherwise.
 */
function patternOf(
  contract: Contract,
  message: DescMessage,
  operation: Operation,
  key: readonly KeyPart[],
): readonly string[] | undefined {
  const [own] = key;
  if (key.length !== 1 || own?.field?.name !== "name") return undefined;
  const annotated = annotatedPatterns(contract, message);
  const inPath = patternInPath(operation, own.name);
  const same = annotated.find((pattern) => pattern.join("/") === inPath?.join("/"));
  return same ?? annotated[0] ?? inPath ?? patternBelow(operation);
}

/** The domain of error details: that of the resource's type, such as `roundtrip.dev` of `roundtrip.dev/Customer`, that of another in its file, or the package. */
function domainOf(contract: Contract, message: DescMessage, { method }: Operation): string {
  const hosts = [message, ...message.file.messages].map((type) => resourceOption(contract, type)?.type.split("/")[0]);
  return hosts.find((host) => host?.includes(".")) ?? method.parent.file.proto.package;
}

/**
 * The methods of one type, as one group; one for each service if their get methods have different keys: global and regional resources of one type
 * are different ones.
 */
function groupsOf(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const keys = candidates
    .filter(({ verb }) => verb === "get")
    .map(({ operation, message }) => {
      const names = keyFieldNames(operation, nameOf(message));
      return [...names, ...(patternInPath(operation, names[0] ?? "") ?? [])].join("/");
    });
  if (new Set(keys).size < 2) return [candidates];
  return [...Map.groupBy(candidates, ({ operation }) => operation.method.parent).values()];
}

/**
 * The key of a resource without a get method: the one that it has itself, below the parents that the path of its list names, such as
 * `/v1/hotels/{hotel_id}/reviews`, if all its methods name them.
 */
function keyWithoutGet(candidates: readonly Candidate[], message: DescMessage, singular: string): readonly KeyPart[] {
  const ownNames = keyNames(singular)
    .filter((name) => message.fields.some((field) => field.name === name))
    .slice(0, 1);
  const own = keyOf(ownNames, message, message, singular);
  const list = candidates.find(({ verb }) => verb === "list")?.operation;
  if (list === undefined || !namesParents(list)) return own;
  const above = keyOf(pathFields(list), list.input, message, singular);
  const areNamed = candidates.every(({ operation: { input } }) => above.every((part) => fieldOfPart(input, part)));
  return areNamed ? [...above, ...own] : own;
}

/** Whether collections and ids alternate in a path, and it ends with a collection: then the ids are those of parents. */
function namesParents({ bindings: [{ path }] }: Operation): boolean {
  const { segments, variables } = path;
  const isEach = variables.every(({ start, end }) => {
    return end - start === 1 && segments[start - 1]?.kind === "literal" && segments[end]?.kind === "literal";
  });
  return isEach && segments.at(-1)?.kind === "literal";
}

function resourceOf(
  contract: Contract,
  candidates: readonly Candidate[],
  isOneOfSeveral: boolean,
): Resource | undefined {
  const kinds = new Set(candidates.map(({ verb }) => verb));
  const getting = candidates.find(({ verb }) => verb === "get");
  const updating = kinds.has("list") ? undefined : candidates.find(({ verb }) => verb === "update");
  const first = getting ?? updating ?? candidates[0];
  const isKept = kinds.has("get") || kinds.has("list") || kinds.has("create");
  if (kinds.size < 2 || !isKept || first === undefined) return undefined;
  const { message } = first;
  const singular = getting === undefined || getting.noun === "" ? nameOf(message) : snakeCase(getting.noun);
  const key =
    getting === undefined
      ? keyWithoutGet(candidates, message, singular)
      : keyOf(keyFieldNames(getting.operation, singular), getting.operation.input, message, singular);
  // A resource without its own key could not be identified in a list.
  if (key.at(-1)?.field === undefined) return undefined;
  const pattern = patternOf(contract, message, first.operation, key);
  const unnamed = candidates.filter(({ noun }) => noun === "" || isOneOfSeveral);
  const services = new Set<DescService>(unnamed.map(({ operation }) => operation.method.parent));
  return {
    message,
    singular,
    key,
    pattern,
    services,
    isOneOfSeveral,
    domain: domainOf(contract, message, first.operation),
  };
}

/** The domain of errors that are no resource's: that of its first resource, or its package. */
export function contractDomain(contract: Contract): string {
  const [first] = contract.operations;
  return findResources(contract)[0]?.domain ?? first?.method.parent.file.proto.package ?? "";
}

/**
 * The resources of a contract: messages with at least two standard methods, one of which is get or list; or that are created and named by later methods.
 */
export function findResources(contract: Contract): readonly Resource[] {
  const candidates = contract.operations.flatMap((operation) => candidatesOf(contract, operation));
  const byMessage = Map.groupBy(candidates, ({ message }) => message);
  return [...byMessage.values()].flatMap((ofMessage) => {
    const groups = groupsOf([...ofMessage, ...namingOf(contract, ofMessage)]);
    const found = groups.map((group) => resourceOf(contract, group, groups.length > 1));
    return found.filter((resource) => resource !== undefined);
  });
}
