// Requests that a server has refused before they reached an operation, in words that all styles share.
import type { CanonicalCode, Contract } from "@roundtrip/contract";
import { loadRefusals, type NearestOperation } from "@roundtrip/styles";
import type { IncomingHttpHeaders } from "node:http";
import type { RequestWatch } from "./basics/stack.ts";

/** A request that was refused: an unknown path or method, an unreadable body, an invalid document, bytes that are no request. */
export interface RefusedRequest {
  /** Method and target of the request line: `GET /v1/custmers/7?pageSize=…`. The values of its query are left out, since they may be secret. */
  readonly request: string;
  readonly headers: IncomingHttpHeaders;
  readonly code: CanonicalCode;
  readonly message: string;
  /** What exists and is most like what was asked for; undefined if nothing is similar. */
  readonly nearest: NearestOperation | undefined;
}

const mostTargetCharacters = 500;
const mostMessageCharacters = 1_000;

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** `/v1/customers?pageSize=…` */
function withoutValues(target: string): string {
  const [path = "", query] = target.split("?", 2);
  const shown = query === undefined ? path : `${path}?${query.replaceAll(/=[^&]*/g, "=…")}`;
  return shortened(shown, mostTargetCharacters);
}

/**
 * A watch for servers of a style, which reports each refused request before its answer is sent. Rejects with a StyleError for an unknown style.
 * @param contract returns the contract that is served
 */
export async function watchRefusals(
  style: string,
  contract: () => Contract,
  onRefused: (refused: RefusedRequest) => void,
): Promise<RequestWatch> {
  const [refusals, { watchRequests }] = await Promise.all([
    loadRefusals(style),
    // Measured servers do without.
    import("./shared/watch/watch-server.ts"),
  ]);
  return watchRequests({
    onUnreached(request) {
      const error = refusals?.errorIn(request);
      // A page, a health check or the like was answered.
      if (refusals === undefined || error === undefined) return;
      const { method, target, headers } = request;
      onRefused({
        request: `${method} ${withoutValues(target)}`,
        headers,
        code: error.code,
        message: shortened(error.message, mostMessageCharacters),
        nearest: refusals.nearest(request, contract()),
      });
    },
    onUnreadable: (message) =>
      onRefused({ request: "a connection", headers: {}, code: "INVALID_ARGUMENT", message, nearest: undefined }),
  });
}
