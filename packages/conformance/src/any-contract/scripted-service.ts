// A service for any contract with scripted answers. It records the requests of one call at a time.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type Contract, type Operation, type Service } from "@roundtrip/contract";
import { requestRules } from "@roundtrip/contract/service";

/** The next call, its answer, and its requests once it has been made. */
export interface ExpectedCall {
  readonly operation: Operation;
  readonly answer: Message;
  /** Whether the request is checked against the contract's rules, as a service does. */
  readonly isChecked: boolean;
  /** Whether a stream of answers has one instead of two. */
  readonly isOnce: boolean;
  /** The requests, as received. */
  readonly arrived: Message[];
  /** The operation that was called instead; undefined if the expected one was called. */
  strayed: Operation | undefined;
}

/** The service and its script. Most cases are about arriving messages: only calls of {@link ScriptedService.expectChecked} are checked. */
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
    const arrive = ({ operation, arrived, isChecked }: ExpectedCall, request: Message): void => {
      if (isChecked) requestRules(contract)(operation.input, request);
      arrived.push(request);
    };
    this.service = {
      contract,
      call(operation, request) {
        const expected = expectedCall(operation);
        arrive(expected, request);
        return expected.answer;
      },
      async *stream(operation, requests) {
        const expected = expectedCall(operation);
        for await (const request of requests) arrive(expected, request);
        yield expected.answer;
        if (operation.kind !== "client_streaming" && !expected.isOnce) yield expected.answer;
      },
      guard: (other) => other,
    };
  }

  /** Sets the expected call and its answer. */
  expect(operation: Operation, answer: Message, isOnce = false): ExpectedCall {
    return this.#expect(operation, answer, { isChecked: false, isOnce });
  }

  /** The same for a call whose request is checked against the contract's rules. */
  expectChecked(operation: Operation, answer: Message): ExpectedCall {
    return this.#expect(operation, answer, { isChecked: true, isOnce: false });
  }

  #expect(operation: Operation, answer: Message, how: Pick<ExpectedCall, "isChecked" | "isOnce">): ExpectedCall {
    this.#now = { operation, answer, ...how, arrived: [], strayed: undefined };
    return this.#now;
  }
}
