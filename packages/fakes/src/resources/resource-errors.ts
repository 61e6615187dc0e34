// How calls about resources fail: with the codes that AIP-193 and the standard methods ask for, and details that a program can read.
import { CallError } from "@roundtrip/contract";
import type { Key, Resource } from "./resource.ts";

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
  const message = `there is a ${called(resource, key)} already`;
  return new CallError("ALREADY_EXISTS", message, info(resource, key, "EXISTS"));
}

/** Somebody else was first: what the caller has read is not what is there any more (AIP-154). */
export function outdated(resource: Resource, key: Key): CallError {
  const message = `the ${called(resource, key)} was changed meanwhile: read it again`;
  return new CallError("ABORTED", message, info(resource, key, "CHANGED"));
}

export function invalid(field: string, description: string, reason = field): CallError {
  return new CallError("INVALID_ARGUMENT", `${field}: ${description}`, {
    violations: [{ field, description, reason }],
  });
}
