// Connect by the library connect-node and the contract's own descriptors, in JSON over HTTP/1.1.
import { fromJson, type DescMethodStreaming, type DescMethodUnary, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import type { Contract, Operation } from "../../packages/contract/src/index.ts";
import { longestCallMs, normal, refused, sessionHeader, type CallExample, type RequestOf } from "./called.ts";

/** `InvalidArgument` as the other styles spell it. */
function canonical(code: Code): string {
  const name = Code[code].replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase();
  return name === "CANCELED" ? "CANCELLED" : name;
}

async function answered(
  transport: Transport,
  { method }: Operation,
  request: Message,
  headers: Readonly<Record<string, string>>,
): Promise<readonly Message[]> {
  if (method.methodKind === "unary") {
    return [(await transport.unary(method as DescMethodUnary, undefined, longestCallMs, headers, request)).message];
  }
  const requests = async function* (): AsyncGenerator<Message> {
    yield await Promise.resolve(request);
  };
  const { message } = await transport.stream(
    method as DescMethodStreaming,
    undefined,
    longestCallMs,
    headers,
    requests(),
  );
  return Array.fromAsync(message);
}

export function connectCaller(contract: Contract, url: string, requestOf: RequestOf): CallExample {
  const { registry } = contract;
  const transport = createConnectTransport({
    baseUrl: url,
    httpVersion: "1.1",
    useBinaryFormat: false,
    jsonOptions: { registry },
  });
  return async (operation, session) => {
    // It needs HTTP/2.
    if (operation.kind === "bidi_streaming") return undefined;
    const request = fromJson(operation.input, requestOf(operation.id), { registry });
    try {
      const messages = await answered(transport, operation, request, { [sessionHeader]: session });
      const answers = messages.map((message) => normal(contract, operation, message));
      return { refusal: undefined, answers, faults: [] };
    } catch (thrown) {
      if (!(thrown instanceof ConnectError)) throw thrown;
      return refused(`${canonical(thrown.code)}: ${thrown.rawMessage}`);
    }
  };
}
