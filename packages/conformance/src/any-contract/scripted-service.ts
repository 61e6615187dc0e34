// A service for any contract with scripted answers. It records the requests of one call at a time.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type Contract, type Operation, type Service } from "@roundtrip/contract";

/** The next call, its answer, and its requests once it has been made. */
export interface ExpectedCall {
  readonly operation: Operation;
  readonly answer: Message;
  /** The requests, as received. */
  readonly arrived: Message[];
  /** The operation that was called instead; undefined if the expected one was called. */
  strayed: Operation | undefined;
}

/** The service and its script. It does not check the contract's rules, because the cases are about arriving messages. */
export class ScriptedService {
  readonly service: Service;
  #now: ExpectedCall | undefined;

  constructor(contract: Contract) {
    const expectedCall = (operation: Operation): ExpectedCall => {
      const now = this.#now;
      if (now === undefined) throw new CallError("FAILED_PRECONDITION", "no call is expected");
      if (now.operation !== operation) {
        now.strayed = operation;
        throw new CallError("FAILED_PRECONDITION", `${operation.id} was called instead of ${now.operation.id}`);
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

  /** Sets the expected call and its answer. */
  expect(operation: Operation, answer: Message): ExpectedCall {
    this.#now = { operation, answer, arrived: [], strayed: undefined };
    return this.#now;
  }
}
