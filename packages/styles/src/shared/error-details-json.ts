// The details of an error as JSON, the same in REST's problem details and in the extensions of a GraphQL error. What is read may come
// from any server, so every member is checked.
import { isObject, type ErrorDetails, type FieldViolation } from "@roundtrip/contract";

export interface ErrorDetailsJson {
  readonly reason?: string;
  readonly domain?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly FieldViolation[];
}

/** Empty members are left out. */
export function detailsToJson({ reason, domain, metadata, violations }: ErrorDetails): ErrorDetailsJson {
  return {
    ...(reason === "" ? {} : { reason }),
    ...(domain === "" ? {} : { domain }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(violations.length === 0 ? {} : { violations }),
  };
}

/** A text; empty for any other value. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The members of an object; none for any other value. */
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

/** The details in an object; empty if none are valid. */
export function detailsFromJson(json: Readonly<Record<string, unknown>>): ErrorDetails {
  return {
    reason: text(json["reason"]),
    domain: text(json["domain"]),
    metadata: metadataOf(json["metadata"]),
    violations: violationsOf(json["violations"]),
  };
}
