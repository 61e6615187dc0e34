// Requests that a server has refused before they reached an operation, in words that all styles share.
import type { DescMessage } from "@bufbuild/protobuf";
import type { CallError, CanonicalCode, Contract } from "@roundtrip/contract";
import { nearestName } from "@roundtrip/contract/text";
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
  /** If the fault is a field that does not exist: the path of the most similar one, such as `customer.mail`. */
  readonly nearestField: string | undefined;
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

/** The path with the nearest name in place of the first that does not exist; undefined if all exist, or nothing is similar. */
function nearestPath(input: DescMessage, path: string): string | undefined {
  const found: string[] = [];
  let type: DescMessage | undefined = input;
  for (const step of path.split(".")) {
    const name = step.replace(/\[.*$/, "");
    const fields: DescMessage["fields"] = type?.fields ?? [];
    const field = fields.find((one) => one.name === name || one.jsonName === name);
    if (field === undefined) {
      const names = fields.map(({ jsonName }) => jsonName);
      const nearest = nearestName(name, names);
      return nearest === undefined ? undefined : [...found, nearest].join(".");
    }
    found.push(step);
    type = field.message;
  }
  return undefined;
}

/** The field that is most like an unknown one in the request of an operation. */
function nearestFieldOf(error: CallError, operation: string | undefined, contract: Contract): string | undefined {
  if (operation === undefined) return undefined;
  const { input } = contract.operation(operation);
  return error.details.violations.map(({ field }) => nearestPath(input, field)).find((path) => path !== undefined);
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
      const nearest = refusals.nearest(request, contract());
      onRefused({
        request: `${method} ${withoutValues(target)}`,
        headers,
        code: error.code,
        message: shortened(error.message, mostMessageCharacters),
        nearest,
        nearestField: nearestFieldOf(error, nearest?.operation, contract()),
      });
    },
    onUnreadable: (message) =>
      onRefused({
        request: "a connection",
        headers: {},
        code: "INVALID_ARGUMENT",
        message,
        nearest: undefined,
        nearestField: undefined,
      }),
  });
}
