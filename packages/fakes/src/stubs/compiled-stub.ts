// A stub that has been checked against the contract, with its comparisons and answers built before the first call.
import type { Contract, Operation } from "@roundtrip/contract";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { operationNamed } from "../basics/operation-named.ts";
import { compileAnswer, type CompiledAnswer } from "./compiled-answer.ts";
import { headerTests } from "./header-pattern.ts";
import { askedValue, isEveryRequest, requestPattern } from "./request-pattern.ts";
import type { Stub } from "./stub.ts";
import type { Findable } from "./stub-index.ts";

export interface CompiledStub extends Findable {
  readonly stub: Stub;
  /** Its number among all stubs, from 1. */
  readonly position: number;
  readonly operation: Operation;
  /** Whether every request matches, whatever conditions its headers must meet. */
  readonly takesEveryRequest: boolean;
  /** False if every call gets the same answer, so that a stream of requests need not be read. */
  readonly looksAtCall: boolean;
  /** The sequence of answers; at least one. */
  readonly answers: readonly [CompiledAnswer, ...CompiledAnswer[]];
}

/**
 * Checks a stub and builds its answers. Throws a FakeError for names that the contract does not have.
 * @param path the position of the stub among others, for error messages
 */
export function compileStub(contract: Contract, stub: Stub, path: ValuePath): CompiledStub {
  const { when, whenHeaders = {} } = stub;
  const { registry } = contract;
  const operation = operationNamed(contract, stub.operation, [...path, "operation"]);
  const [first, ...others] = stub.answers.map((answer, index) =>
    compileAnswer(operation, answer, [...path, "answers", index], contract),
  );
  if (first === undefined) throw new FakeError("wrong-type", "a stub needs at least one answer", { path });
  const answers = [first, ...others] as const;
  const requestMatches = requestPattern(operation.input, when, registry, [...path, "when"]);
  const headers = headerTests(whenHeaders, [...path, "when-headers"]);
  const takesEveryRequest = isEveryRequest(when);
  return {
    stub,
    position: Number(path.at(-1) ?? 0) + 1,
    operation,
    takesEveryRequest,
    looksAtCall: !takesEveryRequest || headers.length > 0 || answers.some(({ looksAtRequest }) => looksAtRequest),
    matches:
      headers.length === 0
        ? requestMatches
        : (request, metadata) => headers.every(({ name, test }) => test(metadata.get(name))) && requestMatches(request),
    asks: askedValue(operation.input, when, registry),
    answers,
  };
}
