// Answers by a recording alone: what was not asked when it was made is told so, and never made up.
import { toJson, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  onlyRequest,
  type Contract,
  type Interceptor,
  type Operation,
  type Service,
} from "@roundtrip/contract";
import type { Stub } from "../stubs/stub.ts";
import { jsonText } from "../stubs/json-text.ts";
import { stubbing } from "../stubs/stubbing.ts";
import { redactedCopy } from "./redacted.ts";

/** The request as people read it; its type alone when it cannot be shown. */
function requestText({ input }: Operation, request: Message, { registry }: Contract): string {
  try {
    return jsonText(toJson(input, redactedCopy(input, request, registry), { registry }));
  } catch {
    return `a ${input.typeName}`;
  }
}

function notRecorded(operation: Operation, request: Message | undefined, contract: Contract, stubs: readonly Stub[]) {
  const { id } = operation;
  const others = stubs.filter((stub) => stub.operation === id).length;
  const what = request === undefined ? "a call without a request" : requestText(operation, request, contract);
  const there =
    others === 0
      ? "nor any other call of it"
      : `only ${others === 1 ? "1 other request" : `${others} other requests`} of it`;
  return new CallError("FAILED_PRECONDITION", `the recording does not have ${id} with ${what}, ${there}`, {
    reason: "NOT_RECORDED",
    domain: "roundtrip",
    metadata: { operation: id },
  });
}

/** Refuses whatever it is asked. */
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

/**
 * Answers by a recording, and by nothing that stands behind it: FAILED_PRECONDITION for requests that it does not have. Each service that
 * it is put around begins the recording anew. Throws a FakeError for a recording that does not fit the contract.
 */
export function replaying(contract: Contract, recorded: readonly Stub[]): Interceptor {
  const answering = stubbing(contract, recorded);
  const refusing = nothingElse(contract, recorded);
  return () => answering(refusing);
}
