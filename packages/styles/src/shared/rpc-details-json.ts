// Error details as ProtoJSON of google.rpc.ErrorInfo and google.rpc.BadRequest. They may come from any server, so every member is checked.
import type { ErrorDetails } from "@roundtrip/contract";
import { detailsFromJson, detailsToJson, record } from "./error-details-json.ts";

/** A google.protobuf.Any in ProtoJSON. */
export interface AnyJson {
  readonly "@type": string;
  readonly [member: string]: unknown;
}

const errorInfo = "type.googleapis.com/google.rpc.ErrorInfo";
const badRequest = "type.googleapis.com/google.rpc.BadRequest";

/** Omits empty details. */
export function detailsToAny(details: ErrorDetails): readonly AnyJson[] {
  const { violations, ...info } = detailsToJson(details);
  return [
    ...(Object.keys(info).length === 0 ? [] : [{ "@type": errorInfo, ...info }]),
    ...(violations === undefined ? [] : [{ "@type": badRequest, fieldViolations: violations }]),
  ];
}

/** The same with every field, as protojson for Go writes with `EmitUnpopulated`. */
export function detailsToWholeAny(details: ErrorDetails): readonly AnyJson[] {
  const { reason, domain, metadata } = details;
  return detailsToAny(details).map((any) =>
    any["@type"] === errorInfo
      ? { "@type": errorInfo, reason, domain, metadata }
      : {
          "@type": badRequest,
          fieldViolations: details.violations.map((violation) => ({ ...violation, localizedMessage: null })),
        },
  );
}

/** Ignores details of other types. */
export function detailsFromAny(details: readonly unknown[]): ErrorDetails {
  const found: Record<string, unknown> = {};
  for (const any of details.map(record)) {
    if (any["@type"] === errorInfo) Object.assign(found, any);
    if (any["@type"] === badRequest) found["violations"] = any["fieldViolations"];
  }
  return detailsFromJson(found);
}
