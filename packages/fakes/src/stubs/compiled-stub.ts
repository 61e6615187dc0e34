// A stub that has been checked against the contract, with its comparisons and messages built before the first call.
import type { Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { checkFailure } from "./failure-form.ts";
import { operationNamed } from "../basics/operation-named.ts";
import { readWholeMessage } from "./read-message.ts";
import { askedValue, isEveryRequest, requestPattern } from "./request-pattern.ts";
import type { Stub, StubAnswer, StubFailure } from "./stub.ts";
import type { Findable } from "./stub-index.ts";

/** An answer with its messages built. Callers share them and must not change them. `made-up` uses the answer behind the stub. */
export type CompiledAnswer =
  | { readonly kind: "messages"; readonly messages: readonly Message[]; readonly failure: StubFailure | undefined }
  | { readonly kind: "made-up" };

export interface CompiledStub extends Findable {
  readonly operation: Operation;
  /** False if every request gets the same answer, so that a stream of requests need not be read. */
  readonly looksAtRequest: boolean;
  /** The sequence of answers; at least one. */
  readonly answers: readonly [CompiledAnswer, ...CompiledAnswer[]];
}

const streamsAnswers: ReadonlySet<Operation["kind"]> = new Set(["server_streaming", "bidi_streaming"]);

/** Throws a FakeError for an answer that the operation cannot return. */
function compileAnswer(
  { id, kind, output }: Operation,
  answer: StubAnswer,
  path: ValuePath,
  { registry }: Contract,
): CompiledAnswer {
  const isStream = streamsAnswers.has(kind);
  switch (answer.kind) {
    case "made-up":
      return answer;
    case "error":
      checkFailure(answer, [...path, "error"]);
      return { kind: "messages", messages: [], failure: answer };
    case "response": {
      const at = [...path, "response"];
      if (isStream) throw new FakeError("wrong-type", `${id} returns a stream: use "responses"`, { path: at });
      const message = readWholeMessage(output, answer.response, at, registry);
      return { kind: "messages", messages: [message], failure: undefined };
    }
    case "responses": {
      const at = [...path, "responses"];
      if (!isStream) throw new FakeError("wrong-type", `${id} returns one message: use "response"`, { path: at });
      if (answer.failure !== undefined) checkFailure(answer.failure, [...path, "error"]);
      const messages = answer.responses.map((one, index) => readWholeMessage(output, one, [...at, index], registry));
      return { kind: "messages", messages, failure: answer.failure };
    }
  }
}

/**
 * Checks a stub and builds its answers. Throws a FakeError for names that the contract does not have.
 * @param path the position of the stub among others, for error messages
 */
export function compileStub(contract: Contract, stub: Stub, path: ValuePath): CompiledStub {
  const operation = operationNamed(contract, stub.operation, [...path, "operation"]);
  const [first, ...others] = stub.answers.map((answer, index) =>
    compileAnswer(operation, answer, [...path, "answers", index], contract),
  );
  if (first === undefined) throw new FakeError("wrong-type", "a stub needs at least one answer", { path });
  return {
    operation,
    looksAtRequest: !isEveryRequest(stub.when),
    matches: requestPattern(operation.input, stub.when, contract.registry, [...path, "when"]),
    asks: askedValue(operation.input, stub.when, contract.registry),
    answers: [first, ...others],
  };
}
