// Valid calls as the client of the stack sends them: the bytes that attacks start from.
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import type { Served } from "../served.ts";

const contract = conformanceContract();

export function operationNamed(method: "Echo" | "Look" | "Upload") {
  return contract.operation(`roundtrip.conformance.v1.ConformanceService.${method}`);
}

export function echoOf(text: string): JsonObject {
  return { values: { presence: { text } } };
}

/** Everything that the client sends over a connection of its own. */
export async function exampleCall(
  { stackName, url }: Served,
  method: Parameters<typeof operationNamed>[0] = "Echo",
  request: JsonObject = echoOf("example"),
): Promise<Buffer> {
  // Loaded on first use, because it brings all libraries of a client.
  const { recorded } = await import("../record-corpus.ts");
  const operation = operationNamed(method);
  const message = fromJson(operation.input, request, { registry: contract.registry });
  const bytes = await recorded(stackName, url, { operation, requests: [message], metadata: new Map() });
  if (bytes === undefined) throw new Error(`${stackName} does not carry ${method}`);
  return bytes;
}
