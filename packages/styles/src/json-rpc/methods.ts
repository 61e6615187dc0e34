// The methods of a service by name, for a server library to call.
import type { JsonValue } from "@bufbuild/protobuf";
import { CallError, type Contract, fieldPaths, type Operation, type Service, shortText } from "@roundtrip/contract";
import { limitations } from "./index.ts";
import { discoverMethod, methodName, paramsReader } from "./messages.ts";
import { checkMayDescribe } from "../shared/description-guard.ts";
import type { SharedCalls } from "../shared/http/shared-calls.ts";
import { messageToJson } from "../shared/proto-json/message-to-json.ts";
import { streamWords, unsupportedFeature } from "../shared/limitations.ts";
import { hasUnknownName, unknownName, withNearestName } from "../shared/unknown-name.ts";

export interface RpcMethod {
  /** Returns or resolves to the result. Throws or rejects with a CallError. */
  readonly call: (params: JsonValue | undefined, calls: SharedCalls) => JsonValue | Promise<JsonValue>;
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
  const written = (message: Parameters<typeof write>[0], calls: SharedCalls): JsonValue => {
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
        if (!hasUnknownName(service, thrown)) throw spelled(thrown);
        return withNearestName(thrown).then((error) => {
          throw spelled(error);
        });
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

/** Resolves to the error of a method that does not exist. */
export type MissingMethod = (name: string) => Promise<CallError>;

export function missingMethodOf(service: Service, methods: RpcMethods): MissingMethod {
  return (name) => {
    const text = `there is no method ${JSON.stringify(shortText(name, 200).toWellFormed())}`;
    return unknownName(service, text, name, [...methods.keys()]);
  };
}
