// REST requests in logs: method and path lead to the operation; path, query and body have the fields of its request.
import type { JsonValue } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import type { LoggedCall, LoggedCalls } from "../basics/style.ts";
import { splitTarget } from "../shared/http/captured-calls.ts";
import { standard } from "./dialects.ts";
import { setRawBody } from "./raw-bodies.ts";
import { routesOf, type Route } from "./routes.ts";

function jsonOf({ parse }: Route, body: Uint8Array): JsonValue | undefined {
  if (body.length === 0) return undefined;
  try {
    return parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", "the body is no JSON", {}, { cause });
  }
}

export const loggedCalls: LoggedCalls = (contract) => {
  const { router } = routesOf(contract, standard);
  // oxlint-disable-next-line require-await -- other styles wait
  return async ({ method, target, body, mediaType }): Promise<readonly LoggedCall[]> => {
    const { path, query } = splitTarget(target);
    const match = router.match(method, path);
    if (match === undefined) return [];
    const { segments } = match;
    const { route } = match.target;
    const { operation, hasBody } = route;
    if (operation.kind !== "unary" && operation.kind !== "server_streaming") {
      return [{ operation, request: undefined, isWhole: false }];
    }
    // Parameters that the contract does not have, such as those of a campaign, change no request.
    const isJson = body !== undefined && route.rawRequest === undefined;
    const request = route.readLeniently(segments, query, isJson ? jsonOf(route, body) : undefined);
    if (route.rawRequest !== undefined && body !== undefined) {
      setRawBody(request, route.rawRequest, { type: mediaType, bytes: body });
    }
    return [{ operation, request, isWhole: !hasBody || body !== undefined }];
  };
};
