// Errors of calls about resources: with the codes of AIP-193 and the standard methods, and details for programs.
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
  const message = `${called(resource, key)} already exists`;
  return new CallError("ALREADY_EXISTS", message, info(resource, key, "EXISTS"));
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
