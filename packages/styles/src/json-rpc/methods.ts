// The methods of a service, and the calls of one HTTP request.
import type { JsonValue } from "@bufbuild/protobuf";
import { CallError, type Contract, fieldPaths, type Operation, type Service } from "@roundtrip/contract";
import { limitations } from "./index.ts";
import { discoverMethod, methodName, paramsReader } from "./messages.ts";
import { checkMayDescribe } from "../shared/description-guard.ts";
import { HeaderMap, deadlineHeader } from "../shared/call-headers.ts";
import type { AnswerHeaders, ReceivedRequest } from "../shared/http/http-service.ts";
import { SharedCalls } from "../shared/http/shared-calls.ts";
import { messageToJson } from "../shared/proto-json/message-to-json.ts";
import { streamWords, unsupportedFeature } from "../shared/limitations.ts";

// The calls of one HTTP request: one, or those of a batch.

const distinctHeaders = (request: ReceivedRequest) => request.headersDistinct;
const lacksHeader = ({ headers }: ReceivedRequest, name: string) => headers[name] === undefined;

export class RpcCalls extends SharedCalls<ReceivedRequest> {
  protected isGone = false;
  #headers: Record<string, string> | undefined;
  #cut: "before" | "inside" | undefined;

  constructor(request: ReceivedRequest) {
    super(new HeaderMap(request, distinctHeaders, lacksHeader), request.headers[deadlineHeader]);
  }

  /** The answer metadata of the calls. Undefined without any. */
  get headers(): AnswerHeaders | undefined {
    return this.#headers;
  }

  /** How a handler has cut off the connection; undefined if none did. */
  get cut(): "before" | "inside" | undefined {
    return this.#cut;
  }

  /** An answer whose begin should be sent cannot be written: nothing is sent. */
  dropAnswer(): void {
    this.#cut = "before";
  }

  override cancel(): void {
    this.isGone = true;
    super.cancel();
  }

  protected headerOf(name: string): string | undefined {
    return this.#headers !== undefined && Object.hasOwn(this.#headers, name) ? this.#headers[name] : undefined;
  }

  protected setHeader(name: string, value: string): void {
    (this.#headers ??= {})[name] = value;
  }

  protected cutOff(place: "before" | "inside"): void {
    if (place === "before") this.#cut = place;
    else this.#cut ??= place;
  }

  // oxlint-disable-next-line class-methods-use-this -- whoever serves the request calls `cancel`
  protected beginWaiting(): void {}
}

// The methods of a service by name, for a server library to call.

export interface RpcMethod {
  /** Returns or resolves to the result. Throws or rejects with a CallError. */
  readonly call: (params: JsonValue | undefined, calls: RpcCalls) => JsonValue | Promise<JsonValue>;
  /** Whether a call may change something, so that calls of a batch run in their order. */
  readonly hasEffects: boolean;
}

export type RpcMethods = ReadonlyMap<string, RpcMethod>;

function unaryMethod(service: Service, contract: Contract, operation: Operation): RpcMethod {
  const { output } = operation;
  const read = paramsReader(contract, operation);
  const write = messageToJson(output, contract);
  const fields = fieldPaths(operation.input, ({ jsonName }) => jsonName);
  const spelled = (thrown: unknown): CallError => fields.spelled(CallError.from(thrown));
  const written = (message: Parameters<typeof write>[0], calls: RpcCalls): JsonValue => {
    try {
      return write(message);
    } catch (thrown) {
      if (calls.cut !== undefined) calls.dropAnswer();
      throw thrown;
    }
  };
  return {
    call(params, calls) {
      try {
        const answer = calls.answerCall((call) => service.call(operation, read(params), call));
        if (!(answer instanceof Promise)) return written(answer, calls);
        return answer.then(
          (message) => {
            try {
              return written(message, calls);
            } catch (thrown) {
              throw spelled(thrown);
            }
          },
          (thrown: unknown) => {
            throw spelled(thrown);
          },
        );
      } catch (thrown) {
        throw spelled(thrown);
      }
    },
    hasEffects: operation.sideEffects !== "none",
  };
}

function streamMethod({ kind }: Operation): RpcMethod {
  const { feature } = streamWords[kind] ?? { feature: "serverStream" };
  return {
    call: () => {
      throw unsupportedFeature(limitations, feature);
    },
    hasEffects: false,
  };
}

/** Service discovery by OpenRPC, for callers that the service's interceptors accept. */
function discovery(service: Service): RpcMethod {
  return {
    call: (_params, calls) =>
      calls.answerCall(async (call) => {
        await checkMayDescribe(service, call);
        const { openRpc } = await import("./openrpc.ts");
        return openRpc(service.contract);
      }) as Promise<JsonValue>,
    hasEffects: false,
  };
}

/** Streaming operations have a method that states why it cannot be called. */
export function methodsOf(service: Service): RpcMethods {
  const { contract } = service;
  return new Map([
    [discoverMethod, discovery(service)],
    ...contract.operations.map((operation): readonly [string, RpcMethod] => [
      methodName(operation),
      operation.kind === "unary" ? unaryMethod(service, contract, operation) : streamMethod(operation),
    ]),
  ]);
}

/** Longer names are shortened in errors. */
const shownCharacters = 200;

/** The error of a method that does not exist. */
export function missingMethod(name: string): CallError {
  const shown = name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name;
  return new CallError("UNIMPLEMENTED", `there is no method ${JSON.stringify(shown.toWellFormed())}`);
}
