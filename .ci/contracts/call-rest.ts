// REST by plain `fetch`: sends the commands of the page, and checks answers against the OpenAPI document.
import { parse } from "yaml";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Contract, HttpBinding } from "../../packages/contract/src/index.ts";
import { longestCallMs, normalJson, refused, sessionHeader, type CallExample, type Called } from "./called.ts";
import { documentSchemas } from "./document-schemas.ts";
import { commandsOn } from "./page-commands.ts";

interface Documented {
  readonly pointer: string;
  readonly responses: JsonObject;
}

/** Operations of the document by method and path, where each variable is `*`. */
function operationsIn(document: JsonObject): ReadonlyMap<string, Documented> {
  const found = new Map<string, Documented>();
  for (const [path, item] of Object.entries(document["paths"] as Readonly<Record<string, JsonObject>>)) {
    for (const [method, about] of Object.entries(item)) {
      if (method === "parameters") continue;
      const { responses } = about as { readonly responses: JsonObject };
      const pointer = `/paths/${encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"))}/${method}`;
      found.set(`${method} ${path.replaceAll(/\{[^}]*\}/g, "*")}`, { pointer, responses });
    }
  }
  return found;
}

function keyOf({ method, path: { segments, verb } }: HttpBinding): string {
  const path = segments.map((segment) => (segment.kind === "literal" ? segment.text : "*")).join("/");
  return `${method.toLowerCase()} /${path}${verb === "" ? "" : `:${verb}`}`;
}

/** The JSON values of a response; undefined for bytes. */
function valuesOf(type: string, text: string): readonly JsonValue[] | undefined {
  if (type.startsWith("application/json")) return [JSON.parse(text) as JsonValue];
  if (type.startsWith("application/x-ndjson")) {
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as JsonValue);
  }
  return text === "" ? [{}] : undefined;
}

export interface RestServer {
  readonly url: string;
  /** The document, as `describe` writes it. */
  readonly openapi: string;
}

/** Rejects if the page cannot be read. */
export async function restCaller(contract: Contract, { url: origin, openapi }: RestServer): Promise<CallExample> {
  const document = parse(openapi, { maxAliasCount: -1 }) as JsonObject;
  const schemaFaults = documentSchemas("OpenAPI", document);
  const documented = operationsIn(document);
  const commands = commandsOn(await (await fetch(`${origin}/docs`)).text());

  const faultsOf = ({ pointer, responses }: Documented, status: number, kind: string, values: readonly JsonValue[]) => {
    const response = responses[String(status)] as
      | { readonly content?: Readonly<Record<string, JsonObject>> }
      | undefined;
    if (response === undefined) return [`status ${status} is not in the document`];
    const type = kind === "server_streaming" ? "application/x-ndjson" : "application/json";
    if (response.content?.[type] === undefined) return [];
    const inside = kind === "server_streaming" ? "/contentSchema/items" : "";
    const place = `${pointer}/responses/${status}/content/${encodeURIComponent(type.replace("/", "~1"))}/schema${inside}`;
    return values.flatMap((value) => schemaFaults(place, value));
  };

  return async (operation, session): Promise<Called | undefined> => {
    const { kind } = operation;
    const [binding] = operation.bindings;
    // Fetch sends no TRACE.
    if (kind === "bidi_streaming" || binding.method === "TRACE") return undefined;
    const about = documented.get(keyOf(binding));
    const command = commands.get(operation.id);
    if (about === undefined || command === undefined) return refused("the page has no example");
    const response = await fetch(command.url, {
      method: command.method,
      headers: {
        ...command.headers,
        accept: kind === "server_streaming" ? "application/x-ndjson" : "application/json",
        [sessionHeader]: session,
      },
      ...(command.body === undefined ? {} : { body: command.body }),
      signal: AbortSignal.timeout(longestCallMs),
    });
    const text = await response.text();
    if (response.status >= 300) {
      const { code = "", detail = "" } = JSON.parse(text) as { readonly code?: string; readonly detail?: string };
      return refused(`${code || response.status}: ${detail}`);
    }
    const values = valuesOf(response.headers.get("content-type") ?? "", text);
    if (values === undefined) return { refusal: undefined, answers: undefined, faults: [] };
    const faults = response.status === 204 ? [] : faultsOf(about, response.status, kind, values);
    const field = operation.output.fields.find(({ name }) => name === binding.responseBody);
    const answers = values.map((value) =>
      normalJson(contract, operation, field === undefined ? value : { [field.jsonName]: value }),
    );
    return { refusal: undefined, answers, faults };
  };
}
