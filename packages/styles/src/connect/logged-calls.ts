// Connect requests in logs: the path names the operation, and the body or the query has the message.
import { fromBinary, fromJson, type Message } from "@bufbuild/protobuf";
import { CallError, type Contract, type Operation } from "@roundtrip/contract";
import type { LoggedCall, LoggedCalls, LoggedRequest } from "../basics/style.ts";
import { operationsByPath, splitTarget } from "../shared/http/captured-calls.ts";
import { streamType, unaryType, type Encoding } from "./wire.ts";

interface Written {
  readonly encoding: Encoding;
  readonly bytes: Uint8Array;
}

/** The message in the URL of a GET. */
function inQuery(query: string): Written | undefined {
  const params = new URLSearchParams(query);
  const [encoding, message, base64] = ["encoding", "message", "base64"].map((name) => params.get(name));
  if (message === null || message === undefined || (encoding !== "json" && encoding !== "proto")) return undefined;
  return { encoding, bytes: Buffer.from(message, base64 === "1" ? "base64url" : "utf8") };
}

function inBody({ mediaType, body }: LoggedRequest): Written | undefined {
  const encoding = (["json", "proto"] as const).find((one) => mediaType === unaryType(one));
  return encoding === undefined || body === undefined ? undefined : { encoding, bytes: body };
}

function messageOf({ registry }: Contract, { input }: Operation, { encoding, bytes }: Written): Message {
  try {
    if (encoding === "proto") return fromBinary(input, bytes);
    return fromJson(input, JSON.parse(Buffer.from(bytes).toString()), { registry, ignoreUnknownFields: true });
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the message is no ${input.typeName}`, {}, { cause });
  }
}

const mediaTypes: ReadonlySet<string> = new Set(
  (["json", "proto"] as const).flatMap((encoding) => [unaryType(encoding), streamType(encoding)]),
);

export const loggedCalls: LoggedCalls = (contract) => {
  const byPath = operationsByPath(contract);
  // oxlint-disable-next-line require-await -- other styles wait
  return async (request): Promise<readonly LoggedCall[]> => {
    const { path, query } = splitTarget(request.target);
    const operation = byPath.get(path);
    if (operation === undefined) return [];
    const isGet = request.method === "GET";
    if (!isGet && (request.method !== "POST" || !mediaTypes.has(request.mediaType))) return [];
    const written = isGet ? inQuery(query) : inBody(request);
    if (written === undefined) return isGet ? [] : [{ operation, request: undefined, isWhole: false }];
    return [{ operation, request: messageOf(contract, operation, written), isWhole: true }];
  };
};
