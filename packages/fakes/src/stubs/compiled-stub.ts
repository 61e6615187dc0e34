// A stub, checked against the contract and ready to answer: what it is asked with each call is compared and built beforehand.
import type { Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { checkFailure } from "./failure-form.ts";
import { operationNamed } from "../basics/operation-named.ts";
import { readWholeMessage } from "./read-message.ts";
import { askedValue, isEveryRequest, requestPattern } from "./request-pattern.ts";
import type { Stub, StubAnswer, StubFailure } from "./stub.ts";
import type { Findable } from "./stub-index.ts";

/** An answer with its messages built; callers share them and change none. `made-up` asks whoever stands behind. */
export type CompiledAnswer =
  | { readonly kind: "messages"; readonly messages: readonly Message[]; readonly failure: StubFailure | undefined }
  | { readonly kind: "made-up" };

export interface CompiledStub extends Findable {
  readonly operation: Operation;
  /** False where every request is answered alike: a stream of them need not be waited for. */
  readonly looksAtRequest: boolean;
  /** In turn; at least one. */
  readonly answers: readonly [CompiledAnswer, ...CompiledAnswer[]];
}

const streamsAnswers: ReadonlySet<Operation["kind"]> = new Set(["server_streaming", "bidi_streaming"]);

/** Throws a FakeError for an answer that the operation cannot give. */
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
      if (isStream)
        throw new FakeError("wrong-type", `${id} answers with a stream: give a list of "responses"`, { path: at });
      const message = readWholeMessage(output, answer.response, at, registry);
      return { kind: "messages", messages: [message], failure: undefined };
    }
    case "responses": {
      const at = [...path, "responses"];
      if (!isStream) throw new FakeError("wrong-type", `${id} gives one answer: give a "response"`, { path: at });
      if (answer.failure !== undefined) checkFailure(answer.failure, [...path, "error"]);
      const messages = answer.responses.map((one, index) => readWholeMessage(output, one, [...at, index], registry));
      return { kind: "messages", messages, failure: answer.failure };
    }
  }
}

/**
 * Checks a stub and builds what it answers with. Throws a FakeError for what the contract does not have.
 * @param path where the stub stands among others; faults are told with the way from there.
 */
export function compileStub(contract: Contract, stub: Stub, path: ValuePath): CompiledStub {
  const operation = operationNamed(contract, stub.operation, [...path, "operation"]);
  const [first, ...others] = stub.answers.map((answer, index) =>
    compileAnswer(operation, answer, [...path, "answers", index], contract),
  );
  if (first === undefined) throw new FakeError("wrong-type", "a stub has at least one answer", { path });
  return {
    operation,
    looksAtRequest: !isEveryRequest(stub.when),
    matches: requestPattern(operation.input, stub.when, contract.registry, [...path, "when"]),
    asks: askedValue(operation.input, stub.when, contract.registry),
    answers: [first, ...others],
  };
}
