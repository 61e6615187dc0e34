// The parameters of GraphQL requests over HTTP, on every server: https://github.com/graphql/graphql-over-http/blob/main/spec/GraphQLOverHTTP.md
import { create } from "@bufbuild/protobuf";
import { serviceOf } from "@roundtrip/contract/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadServe, serveDefaults, type ServedService } from "../src/index.ts";
import { compileContract } from "./support/compile-contract.ts";

const contract = compileContract(`syntax = "proto3";
package greet.v1;
service Greeter { rpc Greet(GreetRequest) returns (Greeting) { option idempotency_level = NO_SIDE_EFFECTS; } }
message GreetRequest { string name = 1; }
message Greeting { string text = 1; }`);
const operation = contract.operation("greet.v1.Greeter.Greet");

const query = "query Ask($name: String) { greet(name: $name) { text } }";

type Parameters = Readonly<Record<string, unknown>>;

/** What a request answers: the greeting, or the kind of the failure. */
type Outcome = "Hello, Ada" | "Hello, " | "refused" | "unknown operation";

interface Row {
  readonly what: string;
  readonly parameters: Parameters;
  readonly outcome: Outcome;
}

const ada = { name: "Ada" };
const greeted = "Hello, Ada";

/** Values as they stand in a URL, except that `variables` and `extensions` that are objects are written as JSON. */
const inUrl: readonly Row[] = [
  { what: "all", parameters: { query, operationName: "Ask", variables: ada, extensions: {} }, outcome: greeted },
  { what: "only what is needed", parameters: { query, variables: ada }, outcome: greeted },
  { what: "empty variables", parameters: { query, variables: "" }, outcome: "Hello, " },
  { what: "an empty operationName", parameters: { query, variables: ada, operationName: "" }, outcome: greeted },
  { what: "empty extensions", parameters: { query, variables: ada, extensions: "" }, outcome: greeted },
  {
    what: "all of them empty",
    parameters: { query, variables: "", operationName: "", extensions: "" },
    outcome: "Hello, ",
  },
  { what: "null variables", parameters: { query, variables: "null" }, outcome: "Hello, " },
  { what: "null extensions", parameters: { query, variables: ada, extensions: "null" }, outcome: greeted },
  { what: "an empty query", parameters: { query: "", variables: ada }, outcome: "refused" },
  { what: "no query", parameters: { variables: ada }, outcome: "refused" },
  { what: "another operationName", parameters: { query, operationName: "Other" }, outcome: "unknown operation" },
  { what: "the operationName null", parameters: { query, operationName: "null" }, outcome: "unknown operation" },
  { what: "variables that are a list", parameters: { query, variables: "[]" }, outcome: "refused" },
  { what: "variables that are text", parameters: { query, variables: '"a"' }, outcome: "refused" },
  { what: "variables that are no JSON", parameters: { query, variables: "{" }, outcome: "refused" },
  { what: "extensions that are a list", parameters: { query, extensions: "[]" }, outcome: "refused" },
  { what: "extensions that are a number", parameters: { query, extensions: "1" }, outcome: "refused" },
];

const inBody: readonly Row[] = [
  { what: "all", parameters: { query, operationName: "Ask", variables: ada, extensions: {} }, outcome: greeted },
  { what: "null variables", parameters: { query, variables: null }, outcome: "Hello, " },
  { what: "a null operationName", parameters: { query, variables: ada, operationName: null }, outcome: greeted },
  { what: "null extensions", parameters: { query, variables: ada, extensions: null }, outcome: greeted },
  { what: "a null query", parameters: { query: null }, outcome: "refused" },
  { what: "an empty query", parameters: { query: "" }, outcome: "refused" },
  { what: "no query", parameters: {}, outcome: "refused" },
  { what: "a query that is a number", parameters: { query: 1 }, outcome: "refused" },
  { what: "an operationName that is a number", parameters: { query, operationName: 1 }, outcome: "refused" },
  { what: "variables that are text", parameters: { query, variables: "" }, outcome: "refused" },
  { what: "variables that are a list", parameters: { query, variables: [] }, outcome: "refused" },
  { what: "extensions that are text", parameters: { query, extensions: "" }, outcome: "refused" },
  { what: "extensions that are a list", parameters: { query, extensions: [] }, outcome: "refused" },
];

interface Body {
  readonly data?: { readonly greet: { readonly text: string } };
  readonly errors?: readonly { readonly message: string }[];
}

async function outcomeOf(answer: Response): Promise<string> {
  const { data, errors } = (await answer.json()) as Body;
  if (data !== undefined) return data.greet.text;
  const [{ message }] = errors as readonly [{ readonly message: string }];
  if (/^Unknown operation named|what operation to execute/.test(message)) return "unknown operation";
  return answer.status === 400 ? "refused" : `status ${answer.status}: ${message}`;
}

describe.each(["graphql-apollo", "graphql-http", "graphql-mercurius", "graphql-yoga"])("on %s", (server) => {
  let served: ServedService;
  beforeAll(async () => {
    const serve = await loadServe(server);
    const greet = (request: unknown): unknown =>
      create(operation.output, { text: `Hello, ${(request as { name: string }).name}` });
    served = await serve(serviceOf(contract, new Map([[operation.id, greet as never]])), serveDefaults);
  });
  afterAll(() => served.close());

  it.each(inUrl)("GET with $what: $outcome", async ({ parameters, outcome }) => {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters))
      params.set(name, typeof value === "string" ? value : JSON.stringify(value));
    const accept = "application/graphql-response+json";
    expect(await outcomeOf(await fetch(`${served.url}?${params.toString()}`, { headers: { accept } }))).toBe(outcome);
  });

  it.each(inBody)("POST with $what: $outcome", async ({ parameters, outcome }) => {
    const headers = { "content-type": "application/json", accept: "application/graphql-response+json" };
    const body = JSON.stringify(parameters);
    expect(await outcomeOf(await fetch(served.url, { method: "POST", headers, body }))).toBe(outcome);
  });
});
