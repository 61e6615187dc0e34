// The number, names and keys of a fake's resources; and the errors of calls to them, with the codes of AIP-193 and details for programs.
import { CallError } from "@roundtrip/contract";
import type { Resource } from "@roundtrip/contract/resources";

/** The number of initial resources, so that lists have more than a page. */
export const seededAtTheTop = 120;
export const seededBelowEach = 30;

/** The maximum number of messages in each: all initial resources are made at once. */
export const messagesInSeeded = 6;

/** Whether callers choose the collection in a name, and a resource may be below another one of its kind: `documents/users/ada/posts/1`. */
export function hasAnyCollection({ pattern }: Pick<Resource, "pattern">): boolean {
  return pattern?.at(-2) === "*";
}

/** A name from the parent's. @param collection for names in which callers choose it */
export function nameBelow(
  { pattern, singular }: Pick<Resource, "pattern" | "singular">,
  parent: string,
  id: string,
  collection = "",
): string {
  const own = hasAnyCollection({ pattern }) ? collection || `${singular}s` : (pattern?.at(-2) ?? "");
  return [parent, own, id].filter((segment) => segment !== "").join("/");
}

/** One resource and several, in words. */
export function namesOf({ pattern, singular }: Pick<Resource, "pattern" | "singular">): readonly [string, string] {
  const name = singular.replaceAll("_", " ");
  return [name, hasAnyCollection({ pattern }) ? `${name}s` : (pattern?.at(-2) ?? `${name}s`)];
}

/** A key as text, or its last part if there are several. */
export function numberedText(resource: Resource, parent: string, number: number): string {
  const id = `${resource.singular.replaceAll("_", "-")}-${number}`;
  return resource.pattern === undefined ? id : nameBelow(resource, parent, id);
}

/** The parts of a key as text, in order. */
export type Key = readonly string[];

/** A key as a map key; empty for no key. */
export function keyText(key: Key): string {
  return key.length > 1 ? JSON.stringify(key) : (key[0] ?? "");
}

/** The parent's key as text; empty without a parent. */
export function parentText({ pattern, key: parts }: Resource, key: Key): string {
  if (pattern !== undefined) return keyText(key).split("/").slice(0, -2).join("/");
  return parts.length === 1 ? "" : keyText(key.slice(0, -1));
}

/** The parent's parts of a key, from the text of {@link parentText}. */
export function parentKey({ key: parts }: Resource, parent: string): Key {
  if (parent === "") return [];
  // The text of several parts is a list in JSON; a parent of one part is its text.
  return parts.length > 2 && parent.startsWith("[") ? (JSON.parse(parent) as Key) : [parent];
}

function info({ singular, domain, key: parts }: Resource, key: Key, what: string) {
  return {
    reason: `${singular.toUpperCase()}_${what}`,
    domain,
    metadata: Object.fromEntries(parts.map(({ name }, at) => [name, key[at] ?? ""])),
  };
}

function called({ singular }: Resource, key: Key): string {
  return `${singular.replaceAll("_", " ")} ${key.join("/")}`;
}

export function notFound(resource: Resource, key: Key): CallError {
  return new CallError("NOT_FOUND", `there is no ${called(resource, key)}`, info(resource, key, "NOT_FOUND"));
}

export function alreadyExists(resource: Resource, key: Key): CallError {
  const message = `${called(resource, key)} already exists`;
  return new CallError("ALREADY_EXISTS", message, info(resource, key, "EXISTS"));
}

/** The resource has children, which a deletion does not take along unless it is forced (AIP-135). */
export function notEmpty(resource: Resource, key: Key): CallError {
  const message = `the ${called(resource, key)} is not empty: set force, or delete its children first`;
  return new CallError("FAILED_PRECONDITION", message, info(resource, key, "NOT_EMPTY"));
}

/** The resource is in the state already to which a method leads. @param state for example `PAID` */
export function alreadyIn(resource: Resource, key: Key, state: string): CallError {
  const message = `${called(resource, key)} is ${state.toLowerCase().replaceAll("_", " ")} already`;
  return new CallError("FAILED_PRECONDITION", message, info(resource, key, state));
}

/** The resource has changed since the caller read it (AIP-154). */
export function outdated(resource: Resource, key: Key): CallError {
  const message = `the ${called(resource, key)} has changed since it was read: read it again`;
  return new CallError("ABORTED", message, info(resource, key, "CHANGED"));
}

export function invalid(field: string, description: string, reason = field): CallError {
  return new CallError("INVALID_ARGUMENT", `${field}: ${description}`, {
    violations: [{ field, description, reason }],
  });
}
