// A service of any contract that answers what it was told to, and keeps what it was asked: one call at a time.
import type { Message } from "@bufbuild/protobuf";
import { CallError } from "../../call-error.ts";
import type { Contract, Operation } from "../../contract.ts";
import type { Service } from "../../service.ts";

/** One call, before and after. */
export interface ExpectedCall {
  readonly operation: Operation;
  readonly answer: Message;
  /** Requests as they arrived. */
  readonly arrived: Message[];
  /** The operation that was called in its place; undefined when none was. */
  strayed: Operation | undefined;
}

/** The service, and what it is told. No rule of the contract is checked: it is about what arrives, not about what it means. */
export class ScriptedService {
  readonly service: Service;
  #now: ExpectedCall | undefined;

  constructor(contract: Contract) {
    const expectedCall = (operation: Operation): ExpectedCall => {
      const now = this.#now;
      if (now === undefined) throw new CallError("FAILED_PRECONDITION", "nobody said what to answer");
      if (now.operation !== operation) {
        now.strayed = operation;
        throw new CallError("FAILED_PRECONDITION", `${operation.id} was called in place of ${now.operation.id}`);
      }
      return now;
    };
    this.service = {
      contract,
      call(operation, request) {
        const { arrived, answer } = expectedCall(operation);
        arrived.push(request);
        return answer;
      },
      async *stream(operation, requests) {
        const { arrived, answer } = expectedCall(operation);
        for await (const request of requests) arrived.push(request);
        yield answer;
        if (operation.kind !== "client_streaming") yield answer;
      },
      guard: (other) => other,
    };
  }

  /** What the next call is, and what to answer. */
  expect(operation: Operation, answer: Message): ExpectedCall {
    this.#now = { operation, answer, arrived: [], strayed: undefined };
    return this.#now;
  }
}
