// The commands of the API page that send example requests.
import type { Contract, ExampleOf, HttpBinding, Operation } from "@roundtrip/contract";
import { documentedMethods } from "../openapi/openapi.ts";
import { Paths } from "../openapi/paths.ts";
import { shellWord } from "../../shared/pages/shell-word.ts";
import { requestWriter, type WrittenRequest } from "../requests/request-writer.ts";
import { linesType } from "../streams/lines.ts";

/** The request of a binding; undefined without an example, or if it does not fit the URL. */
function written(
  contract: Contract,
  operation: Operation,
  binding: HttpBinding,
  exampleOf: ExampleOf,
): WrittenRequest | undefined {
  const request = exampleOf(operation);
  if (request === undefined) return undefined;
  try {
    return requestWriter(contract, operation, binding)(request);
  } catch {
    return undefined;
  }
}

function commandOf(
  { kind }: Operation,
  { method }: HttpBinding,
  origin: string,
  { url, body, type: bodyType }: WrittenRequest,
): string {
  const isPlainGet = method === "GET" && body === undefined;
  const type = kind === "client_streaming" && typeof body === "string" ? linesType : (bodyType ?? "");
  const sent = typeof body === "string" ? `-d ${shellWord(body)}` : "--data-binary @FILE";
  const data = body === undefined ? "" : ` \\\n  -H ${shellWord(`content-type: ${type}`)} ${sent}`;
  return `curl${isPlainGet ? "" : ` -X ${method}`}${kind === "server_streaming" ? " -N" : ""} ${shellWord(origin + url)}${data}`;
}

/** curl commands by operation of the OpenAPI document, such as `get /v1/things/{id}`. @param origin the address of the API */
export function exampleCommands(contract: Contract, origin: string, exampleOf: ExampleOf): ReadonlyMap<string, string> {
  const commands = new Map<string, string>();
  const paths = new Paths();
  for (const operation of contract.operations) {
    if (operation.kind === "bidi_streaming") continue;
    for (const binding of operation.bindings) {
      if (!documentedMethods.has(binding.method)) continue;
      const { text } = paths.of(operation.input, binding.path);
      const request = written(contract, operation, binding, exampleOf);
      if (request === undefined) continue;
      commands.set(`${binding.method.toLowerCase()} ${text}`, commandOf(operation, binding, origin, request));
    }
  }
  return commands;
}
