// Calls a contract served as REST.
import { CallError, type Contract, type Invoke, type Operation } from "@roundtrip/contract";
import { fieldPaths } from "../field-paths.ts";
import { httpClient, type HttpClient, type HttpResponse } from "../http-client.ts";
import { withDeadline } from "../http-deadline.ts";
import { cannot, noStreams, refusedStream } from "../refused.ts";
import type { Connect } from "../stack.ts";
import { createdResource } from "./created.ts";
import { errorOf } from "./errors.ts";
import { limitations } from "./limitations.ts";
import { requestWriter } from "./request-writer.ts";
import { answersNothing, responseReader } from "./response-codec.ts";

const withoutBody = { accept: "application/json" } as const;
const withBody = { accept: "application/json", "content-type": "application/json" } as const;

function answeredElse(response: HttpResponse, place: string, cause: unknown): CallError {
  const type = String(response.headers["content-type"] ?? "no stated type");
  return new CallError(
    "UNKNOWN",
    `${place} answered ${response.status} with ${type}, which is not of the contract`,
    {},
    { cause },
  );
}

/** The statuses of success. A gateway made from the same contract may know nothing of 201. */
function expectedOf(contract: Contract, operation: Operation): readonly number[] {
  if (answersNothing(operation)) return [204];
  return createdResource(contract, operation, operation.bindings[0]) === undefined ? [200] : [201, 200];
}

function prepare(http: HttpClient, contract: Contract, operation: Operation): Invoke {
  const [binding] = operation.bindings;
  const write = requestWriter(contract, operation, binding);
  const read = responseReader(contract, operation, binding);
  const expected = expectedOf(contract, operation);
  const fields = fieldPaths(operation.input, ({ jsonName }) => jsonName);
  const place = `${binding.method} ${binding.path.source}`;
  // `*` in a contract's custom method means any.
  const method = binding.method === "*" ? "POST" : binding.method;
  return async (request, options) => {
    const { url, body } = write(request);
    const timeoutMs = options?.timeoutMs;
    const headers = body === undefined ? withoutBody : withBody;
    const response = await http.send({
      method,
      path: url,
      headers: withDeadline(headers, timeoutMs),
      body,
      timeoutMs,
      signal: options?.signal,
    });
    if (response.status >= 400) throw fields.restored(errorOf(response));
    if (!expected.includes(response.status)) throw answeredElse(response, place, undefined);
    try {
      return read(response.body);
    } catch (thrown) {
      throw answeredElse(response, place, thrown);
    }
  };
}

/** Connects with the first call. */
export const connect: Connect = (contract, options) => {
  const http = httpClient(options);
  return Promise.resolve({
    prepare: (operation) => refusedStream(operation, limitations) ?? prepare(http, contract, operation),
    prepareStream: (operation) => noStreams(operation, limitations),
    prepareTogether: () => {
      throw cannot(limitations, "together");
    },
    close: () => http.close(),
  });
};
