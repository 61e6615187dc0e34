// Error details as JSON, for REST's problem details and GraphQL's extensions. They may come from any server, so every member is checked.
import { isObject, type ErrorDetails, type FieldViolation } from "@roundtrip/contract";

export interface ErrorDetailsJson {
  readonly reason?: string;
  readonly domain?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly FieldViolation[];
}

/** Omits empty members. */
export function detailsToJson({ reason, domain, metadata, violations }: ErrorDetails): ErrorDetailsJson {
  return {
    ...(reason === "" ? {} : { reason }),
    ...(domain === "" ? {} : { domain }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(violations.length === 0 ? {} : { violations }),
  };
}

/** Narrows a value to text; empty for others. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Narrows a value to an object; empty for others. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function metadataOf(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(record(value)).map(([key, entry]) => [key, text(entry)]));
}

function violationsOf(value: unknown): FieldViolation[] {
  return (Array.isArray(value) ? value : []).map(record).map((violation) => ({
    field: text(violation["field"]),
    description: text(violation["description"]),
    reason: text(violation["reason"]),
  }));
}

export function detailsFromJson(json: Readonly<Record<string, unknown>>): ErrorDetails {
  return {
    reason: text(json["reason"]),
    domain: text(json["domain"]),
    metadata: metadataOf(json["metadata"]),
    violations: violationsOf(json["violations"]),
  };
}
