// A service for any contract with scripted answers. It records the requests of one call at a time.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  type Client,
  type Contract,
  type Operation,
  type OperationKind,
  type Service,
} from "@roundtrip/contract";
import { requestRules } from "@roundtrip/contract/service";
import type { Need } from "../case/case.ts";

/** The next call, its answer, and its requests once it has been made. */
interface ExpectedCall {
  readonly operation: Operation;
  readonly answer: Message;
  /** Whether the request is checked against the contract's rules, as a service does. */
  readonly isChecked: boolean;
  /** Whether a stream of answers has one instead of two. */
  readonly isOnce: boolean;
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

async function* twice(request: Message): AsyncGenerator<Message> {
  yield request;
  yield request;
}

/** All answers to a request, which an operation that streams requests gets twice, or once. Rejects with a CallError. */
export async function answersTo(
  client: Client,
  operation: Operation,
  request: Message,
  isOnce = false,
): Promise<readonly Message[]> {
  if (operation.kind === "unary") return [await client.prepare(operation)(request)];
  const requests = isOnce || operation.kind === "server_streaming" ? [request] : twice(request);
  const answers: Message[] = [];
  for await (const answer of client.prepareStream(operation)(requests)) answers.push(answer);
  return answers;
}

/** False where a rule or a required field refuses the request. Throws what else comes of the rules. */
export function keepsRules(contract: Contract, { input }: Operation, request: Message): boolean {
  try {
    requestRules(contract)(input, request);
    return true;
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.code === "INVALID_ARGUMENT") return false;
    throw thrown;
  }
}

const needs: Readonly<Record<OperationKind, readonly Need[]>> = {
  unary: [],
  server_streaming: ["serverStream"],
  client_streaming: ["clientStream"],
  bidi_streaming: ["bidiStream"],
};

export function needsOf({ kind, bindings: [{ method, body }] }: Operation): readonly Need[] {
  if (method === "TRACE") return [...needs[kind], "traceMethod"];
  const hasBodyOfGet = (method === "GET" || method === "HEAD") && body !== "";
  return hasBodyOfGet ? [...needs[kind], "bodyOfGet"] : needs[kind];
}

/** By the contract's order from `0001` on: the same, whichever operations have cases. */
export function numberOf({ operations }: Contract, operation: Operation): string {
  return String(operations.indexOf(operation) + 1).padStart(4, "0");
}
