// Valid calls as the stack's own client sends them: the bytes that attacks start from.
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import type { Served } from "../served.ts";

const contract = conformanceContract();

/** An operation of the conformance contract. */
export function operationNamed(method: "Echo" | "Look" | "Upload") {
  return contract.operation(`roundtrip.conformance.v1.ConformanceService.${method}`);
}

/** A request for Echo with this text. */
export function echoOf(text: string): JsonObject {
  return { values: { presence: { text } } };
}

/** What the client sends over a connection of its own, to its end. */
export async function exampleCall(
  { stackName, url }: Served,
  method: Parameters<typeof operationNamed>[0] = "Echo",
  request: JsonObject = echoOf("example"),
): Promise<Buffer> {
  // Loaded where it is called: it brings every library that a client needs.
  const { recorded } = await import("../record-corpus.ts");
  const operation = operationNamed(method);
  const message = fromJson(operation.input, request, { registry: contract.registry });
  const bytes = await recorded(stackName, url, { operation, requests: [message], metadata: new Map() });
  if (bytes === undefined) throw new Error(`${stackName} does not carry ${method}`);
  return bytes;
}
