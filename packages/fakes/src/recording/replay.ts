// Answers from a recording only: requests that were not recorded fail and are never made up.
import { toJson, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  only,
  onlyRequest,
  type Contract,
  type Interceptor,
  type Operation,
  type Service,
  isObject,
} from "@roundtrip/contract";
import type { Stub } from "../stubs/stub.ts";
import { jsonText } from "../files/json-text.ts";
import { stubbing } from "../stubs/stubbing.ts";
import { redactedCopy } from "./redacted.ts";
import { widerReads, type WiderReads } from "./wider-reads.ts";

/**
 * Recorded reads that always failed, as stubs for the same requests with any mask. INVALID_ARGUMENT is excluded, because it may be about
 * the mask.
 */
function recordedFailures(contract: Contract, recorded: readonly Stub[]): readonly Stub[] {
  const masks = new Map(contract.operations.map(({ id, readMask }) => [id, readMask]));
  return recorded.flatMap(({ operation, when, answers }): readonly Stub[] => {
    const mask = masks.get(operation);
    if (mask === undefined || !isObject(when)) return [];
    if (!answers.every((answer) => answer.kind === "error" && answer.code !== "INVALID_ARGUMENT")) return [];
    const { [mask.jsonName]: _json, [mask.name]: _proto, ...rest } = when;
    return [{ operation, when: rest, answers }];
  });
}

/** The request for error messages; its type alone if it cannot be shown. */
function requestText({ input }: Operation, request: Message, { registry }: Contract): string {
  try {
    return jsonText(toJson(input, redactedCopy(input, request, registry), { registry }));
  } catch {
    return `a ${input.typeName}`;
  }
}

/** The error for a request that is not in the recording. */
class NotRecorded extends CallError {}

function notRecorded(operation: Operation, request: Message | undefined, contract: Contract, stubs: readonly Stub[]) {
  const { id } = operation;
  const others = stubs.filter((stub) => stub.operation === id).length;
  const what = request === undefined ? "a call without a request" : requestText(operation, request, contract);
  const there =
    others === 0
      ? "and no other call of it"
      : `but has ${others === 1 ? "1 other request" : `${others} other requests`} of it`;
  return new NotRecorded("FAILED_PRECONDITION", `the recording has no call of ${id} with ${what}, ${there}`, {
    reason: "NOT_RECORDED",
    domain: "roundtrip",
    metadata: { operation: id },
  });
}

/** Refuses every call. */
function nothingElse(contract: Contract, stubs: readonly Stub[]): Service {
  return {
    contract,
    guard: (other) => other,
    call(operation, request) {
      throw notRecorded(operation, request, contract, stubs);
    },
    // oxlint-disable-next-line require-yield -- it never answers
    async *stream(operation, requests) {
      const request = await onlyRequest(requests).catch(() => undefined);
      throw notRecorded(operation, request, contract, stubs);
    },
  };
}

/** The content of a recording: answers to exact requests, and failures for any mask. */
interface Recorded {
  readonly exact: Service;
  readonly failures: Service;
}

/** Returns the first recorded answer to one of these and wider reads. Otherwise fails as a read of the same resource with another mask did. */
function unary(
  { exact, failures }: Recorded,
  wider: WiderReads,
  ...[operation, request, call]: Parameters<Service["call"]>
) {
  try {
    return exact.call(operation, request, call);
  } catch (thrown) {
    if (!(thrown instanceof NotRecorded)) throw thrown;
    for (const { request: other, read } of wider(request)) {
      try {
        const answer = exact.call(operation, other, call);
        return answer instanceof Promise ? answer.then(read) : read(answer);
      } catch (again) {
        if (!(again instanceof NotRecorded)) throw again;
      }
    }
    return failures.call(operation, request, call);
  }
}

/** The same for a stream of answers: its first message shows whether it was recorded. */
async function* streamed(
  { exact, failures }: Recorded,
  wider: WiderReads,
  ...[operation, requests, call]: Parameters<Service["stream"]>
): AsyncGenerator<Message> {
  const request = await onlyRequest(requests);
  const asked = { request, read: (answer: Message) => answer };
  for (const { request: one, read } of [asked, ...wider(request)]) {
    try {
      for await (const answer of exact.stream(operation, only(one), call)) yield read(answer);
      return;
    } catch (thrown) {
      if (!(thrown instanceof NotRecorded)) throw thrown;
    }
  }
  yield* failures.stream(operation, only(request), call);
}

/**
 * Answers from a recording alone: FAILED_PRECONDITION for requests that it does not contain. A recorded read with a wider mask, or without one, also
 * answers reads with a mask; a read that failed with one mask fails with any. Each service that it wraps restarts the recording. Throws a FakeError
 * if the recording does not fit the contract.
 */
export function replaying(contract: Contract, recorded: readonly Stub[]): Interceptor {
  const answering = stubbing(contract, recorded);
  const failing = stubbing(contract, recordedFailures(contract, recorded));
  const refusing = nothingElse(contract, recorded);
  const wider = new Map(contract.operations.map((operation) => [operation.id, widerReads(operation, recorded)]));
  const widerOf = ({ id }: Operation): WiderReads => wider.get(id) ?? (() => []);
  return () => {
    const exact = answering(refusing);
    const service: Recorded = { exact, failures: failing(refusing) };
    return {
      contract,
      guard: (other) => exact.guard(other),
      call: (operation, request, call) => unary(service, widerOf(operation), operation, request, call),
      stream(operation, requests, call) {
        if (operation.kind !== "server_streaming") return exact.stream(operation, requests, call);
        return streamed(service, widerOf(operation), operation, requests, call);
      },
    };
  };
}
