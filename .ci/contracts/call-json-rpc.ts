// JSON-RPC by the client of jayson: sends the calls of the page, and checks answers against the OpenRPC document.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import jayson from "jayson";
import type { Contract } from "../../packages/contract/src/index.ts";
import { normalJson, refused, sessionHeader, type CallExample } from "./called.ts";
import { documentSchemas } from "./document-schemas.ts";
import { commandsOn } from "./page-commands.ts";

interface Reply {
  readonly error?: { readonly message: string; readonly data?: { readonly code?: string } };
  readonly result?: JsonValue;
}

interface Method {
  readonly name: string;
}

export interface JsonRpcServer {
  readonly url: string;
  /** The document, as `describe` writes it. */
  readonly openrpc: string;
}

/** Calls by jayson, with the session's header. Rejects if no JSON-RPC comes back. */
function sent(url: URL, session: string, call: { readonly method: string; readonly params: object }): Promise<Reply> {
  const { hostname, port, pathname } = url;
  const headers = { [sessionHeader]: session };
  const client = jayson.Client.http({ hostname, port, path: pathname, headers });
  return new Promise((resolve, reject) => {
    client.request(call.method, call.params, (fault: unknown, reply: unknown) => {
      if (fault instanceof Error) reject(fault);
      else resolve(reply as Reply);
    });
  });
}

/** Rejects if the page cannot be read. */
export async function jsonRpcCaller(contract: Contract, { url, openrpc }: JsonRpcServer): Promise<CallExample> {
  const document = JSON.parse(openrpc) as JsonObject & { readonly methods: readonly Method[] };
  const schemaFaults = documentSchemas("OpenRPC", document);
  const places = new Map(document.methods.map(({ name }, index) => [name, `/methods/${index}/result/schema`]));
  const commands = commandsOn(await (await fetch(url)).text());

  return async (operation, session) => {
    const { kind, id } = operation;
    if (kind !== "unary") return undefined;
    const command = commands.get(id);
    const place = places.get(id);
    if (command === undefined || place === undefined) return refused("the page has no example");
    const call = JSON.parse(command.body ?? "") as { readonly method: string; readonly params: object };
    const { error, result = {} } = await sent(new URL(command.url), session, call);
    if (error !== undefined) return refused(`${error.data?.code ?? "error"}: ${error.message}`);
    const faults = schemaFaults(place, result);
    return { refusal: undefined, answers: [normalJson(contract, operation, result)], faults };
  };
}
