// Errors in Connect: JSON with code, message and details, as a body or at the end of a stream.
import { fromBinary, toBinary, create } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { CallError, canonicalCodes, ClientSideError, isObject, jsonIn, type CanonicalCode } from "@roundtrip/contract";
import { StatusSchema } from "@roundtrip/contract/gen/google/rpc/status_pb";
import {
  isWithoutDetails,
  rpcStatusFromBinary,
  rpcStatusToBinary,
  codeOfForeignAnswer,
} from "../shared/error-details.ts";
import type { WriteFaultBody } from "../shared/http/http-service.ts";

/** The names of codes: those of gRPC in lower case, with one exception. */
const names = new Map<CanonicalCode, string>(
  (Object.keys(canonicalCodes) as CanonicalCode[]).map((code) => [
    code,
    code === "CANCELLED" ? "canceled" : code.toLowerCase(),
  ]),
);
const codes: ReadonlyMap<unknown, CanonicalCode> = new Map([...names].map(([code, name]) => [name, code]));

/** The `code` of an error on the wire, such as `invalid_argument`. */
function codeName(code: CanonicalCode): string {
  return names.get(code) as string;
}

interface DetailJson {
  readonly type: string;
  readonly value: string;
}

interface ErrorJson {
  readonly code: string;
  readonly message?: string;
  readonly details?: readonly DetailJson[];
}

function detailsJson(error: CallError): readonly DetailJson[] {
  return fromBinary(StatusSchema, rpcStatusToBinary(error)).details.map(({ typeUrl, value }) => ({
    type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
    value: base64Encode(value, "std_raw"),
  }));
}

/** Omits an empty message and missing details. */
export function errorJson(error: CallError): ErrorJson {
  return {
    code: codeName(error.code),
    ...(error.message === "" ? {} : { message: error.message }),
    ...(isWithoutDetails(error.details) ? {} : { details: detailsJson(error) }),
  };
}

function anyOf(detail: unknown): { typeUrl: string; value: Uint8Array } | undefined {
  if (!isObject(detail) || typeof detail["type"] !== "string" || typeof detail["value"] !== "string") return undefined;
  try {
    return { typeUrl: `type.googleapis.com/${detail["type"]}`, value: base64Decode(detail["value"]) };
  } catch {
    return undefined;
  }
}

/** The error in JSON; undefined without a code of Connect. Ignores malformed details. */
export function errorFromJson(json: unknown): CallError | undefined {
  if (!isObject(json)) return undefined;
  const code = codes.get(json["code"]);
  if (code === undefined) return undefined;
  const { message, details } = json;
  const text = typeof message === "string" ? message : "";
  if (!Array.isArray(details)) return new CallError(code, text);
  const packed = details.map(anyOf).filter((any) => any !== undefined);
  const status = create(StatusSchema, {
    code: canonicalCodes[code].grpc,
    message: text,
    details: packed.map((any) => create(AnySchema, any)),
  });
  try {
    return rpcStatusFromBinary(toBinary(StatusSchema, status));
  } catch {
    return new CallError(code, text);
  }
}

/** The error in a unary answer with a status other than 200. */
export function errorOf({ status, body }: { readonly status: number; readonly body: Buffer }): CallError {
  return (
    errorFromJson(jsonIn(body.toString())) ??
    new ClientSideError(codeOfForeignAnswer(status), `the answer has HTTP status ${status}, and no error of Connect`)
  );
}

/** The body of an answer to a request that the HTTP library refuses. */
export const writeError: WriteFaultBody = (error) => ({
  type: "application/json",
  text: JSON.stringify(errorJson(error)),
});
