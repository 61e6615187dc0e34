// Calls in captured and logged HTTP requests.
import { CallError, type Contract, type Operation, type Service, methodPath } from "@roundtrip/contract";
import type { LoggedCall, LoggedRequest, ReadLoggedRequest } from "../../basics/style.ts";
import type { HttpAnswer, HttpService, ReceivedRequest } from "./http-service.ts";

/** By `/package.Service/Method`. */
export function operationsByPath({ operations }: Contract): ReadonlyMap<string, Operation> {
  return new Map(operations.map((operation) => [methodPath(operation.method), operation]));
}

/** The path of a request target, and its query without the question mark. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

// Reads logged requests with the server half of a style: it serves a service that notes its calls and answers none.

/** The error of a request to a path of a style whose body the log does not have. */
export function missingBody(): CallError {
  return new CallError("UNIMPLEMENTED", "the body names the operation, and the log has no bodies");
}

function noted(): CallError {
  return new CallError("CANCELLED", "the call is noted");
}

function capturingService(contract: Contract, calls: LoggedCall[]): Service {
  return {
    contract,
    guard: (other) => other,
    call(operation, request) {
      calls.push({ operation, request, isWhole: true });
      throw noted();
    },
    // oxlint-disable-next-line require-yield -- no call is answered
    async *stream(operation, requests) {
      for await (const request of requests) {
        // A task sends one request to an operation that takes a stream of them.
        calls.push({ operation, request, isWhole: operation.kind === "server_streaming" });
        break;
      }
      throw noted();
    },
  };
}

interface CallsPath {
  readonly path: string;
  /** For logs that have a body without its type. */
  readonly mediaType: string;
}

function received({ method, target, mediaType }: LoggedRequest, usualType: string): ReceivedRequest {
  const type = mediaType === "" ? usualType : mediaType;
  const headersDistinct = { "content-type": [type] };
  return { method, url: target, headers: { "content-type": type }, headersDistinct, socket: headersDistinct };
}

/** Reads the answer, because a stream begins only then. */
async function drain({ body }: HttpAnswer): Promise<void> {
  if (typeof body !== "object" || body instanceof Uint8Array) return;
  try {
    for await (const _ of body);
  } catch {
    // No call is answered.
  }
}

/** Reads requests that are sent to one path. @param serve the server half of the style. */
export function capturedCalls(
  contract: Contract,
  { path, mediaType }: CallsPath,
  serve: (service: Service) => HttpService,
): ReadLoggedRequest {
  const calls: LoggedCall[] = [];
  // Made for the first request: most logs have one style.
  let service: HttpService | undefined;
  return async (request) => {
    const { method, target, body } = request;
    if (method !== "POST" || splitTarget(target).path !== path) return [];
    if (body === undefined) throw missingBody();
    calls.length = 0;
    service ??= serve(capturingService(contract, calls));
    const exchange = service.begin(received(request, mediaType));
    await drain(await exchange.answer(body));
    if (calls.length === 0) throw new CallError("INVALID_ARGUMENT", "the body is no valid call of an operation");
    return [...calls];
  };
}
