// The hand-written servers that ours are held against answer exactly like ours: the baseline does the same work, no less.
import { fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";
import { builtInContract, CallError, type CallOptions, type Client } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { connectDefaults, loadConnect, loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkedDocument } from "../self/hand-written/linked.ts";
import { handWrittenStacks, loadHandWritten } from "../self/hand-written/serve.ts";

const contract = builtInContract();
const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");

const attributes = ["id", "name", "address", "vatIdentificationNumber", "mail", "phoneNumber"];
const masks = [
  ...attributes.map((_, index) => attributes.slice(0, index + 1).join(",")),
  "mail,name,mail",
  "",
  "*",
  "shoeSize",
  "name,shoeSize,hatSize",
];

type Question = readonly [
  operation: typeof sayHello,
  request: { readonly [key: string]: JsonValue },
  options?: CallOptions,
];

const questions: readonly Question[] = [
  ...["World", "", "a b&c=d?e%f+g/ä", "x".repeat(200), "x".repeat(201), "🙂".repeat(200), "🙂".repeat(201)].map(
    (name) => [sayHello, { name }] as const,
  ),
  [sayHello, {}],
  [sayHello, { name: "World" }, { timeoutMs: 10_000 }],
  ...[1, 2, 1_000, 1_001, 0, -1, 2 ** 31 - 1].map((id) => [getCustomer, { id }] as const),
  ...masks.map((readMask) => [getCustomer, { id: 1, readMask }] as const),
  [getCustomer, { id: 1_001, readMask: "name" }],
  [getCustomer, { id: 1_001, readMask: "shoeSize" }],
  [getCustomer, { id: 0, readMask: "shoeSize" }],
];

/** The answer in ProtoJSON, or all that the error says. */
async function answerTo([operation, request, options]: Question, client: Client): Promise<unknown> {
  try {
    const response = await client.prepare(operation)(fromJson(operation.input, request), options);
    return toJson(operation.output, response);
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown;
    const { code, message, details } = thrown;
    return { code, message, details };
  }
}

describe.each(handWrittenStacks)("the hand-written %s server", (stack) => {
  let servers: { readonly ours: RunningServer; readonly handWritten: RunningServer };
  let clients: { readonly ours: Client; readonly handWritten: Client };

  beforeAll(async () => {
    const ours = await (await loadServe(stack))(realService(contract), serveDefaults);
    const handWritten = await (await loadHandWritten(stack))(serveDefaults);
    const connect = await loadConnect(stack);
    servers = { ours, handWritten };
    clients = {
      ours: await connect(contract, { ...connectDefaults, url: ours.url }),
      handWritten: await connect(contract, { ...connectDefaults, url: handWritten.url }),
    };
  });

  afterAll(async () => {
    await Promise.all(Object.values(clients).map((client) => client.close()));
    await Promise.all(Object.values(servers).map((server) => server.close()));
  });

  it.each(questions.map((question) => ({ text: JSON.stringify(question[1]).slice(0, 60), question })))(
    "answers $text like ours",
    async ({ question }) => {
      expect(await answerTo(question, clients.handWritten)).toEqual(await answerTo(question, clients.ours));
    },
  );

  it("answers a deadline that has passed like ours", async () => {
    const late: Question = [sayHello, { name: "World" }, { timeoutMs: 0 }];
    expect(await answerTo(late, clients.handWritten)).toEqual(await answerTo(late, clients.ours));
  });
});

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function raw(server: RunningServer, path: string, init: RequestInit = {}): Promise<Raw> {
  const response = await fetch(`${new URL(server.url).origin}${path}`, init);
  const { date: _date, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

function graphql(query: string, variables: JsonValue): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/graphql-response+json" },
    body: JSON.stringify({ query, variables }),
  };
}

const all = attributes.join(" ");

const graphqlRequests: [path: string, init: RequestInit][] = [
  ["/graphql", graphql("query SayHello($name: String!) { sayHello(name: $name) { message } }", { name: "World" })],
  ["/graphql", graphql(`query Customer($id: Int!) { customer(id: $id) { ${all} } }`, { id: 1 })],
  ["/graphql", graphql("query Customer($id: Int!) { customer(id: $id) { name mail } }", { id: 1 })],
  ["/graphql", graphql("query Customer($id: Int!) { customer(id: $id) { name } }", { id: 1_001 })],
  ["/graphql", graphql(linkedDocument, { id: 7 })],
  ["/graphql", graphql("{ customer(id: 7) { invoices(pageSize: -1) { invoices { id } } } }", {})],
];

describe.each([
  {
    stack: "rest-express",
    requests: [
      ["/v1/hello?name=World", {}],
      ["/v1/hello?name=a&name=b", {}],
      ["/v1/hello?nickname=a", {}],
      ["/v1/hello?name=World", { headers: { accept: "image/png" } }],
      ["/v1/hello?name=World", { headers: { "x-request-timeout-ms": "0" } }],
      ["/v1/hello?name=World", { headers: { "x-request-timeout-ms": "soon" } }],
      [`/v1/customers/1?readMask=${attributes.join(",")}`, {}],
      [`/v1/customers/1?read_mask=${encodeURIComponent("name,mail")}`, {}],
      ["/v1/customers/1?readMask=name,shoeSize", {}],
      ["/v1/customers/1?readMask=name&readMask=mail", {}],
      ["/v1/customers/one", {}],
      ["/v1/customers/1001", {}],
    ],
  },
  {
    stack: "graphql-apollo",
    requests: [...graphqlRequests, ["/graphql", graphql("{ customer(id: 1) { shoeSize } }", {})]],
  },
] satisfies { stack: string; requests: [path: string, init: RequestInit][] }[])(
  "what the hand-written $stack server puts on the wire",
  ({ stack, requests }) => {
    let ours: RunningServer;
    let handWritten: RunningServer;
    beforeAll(async () => {
      ours = await (await loadServe(stack))(realService(contract), serveDefaults);
      handWritten = await (await loadHandWritten(stack))(serveDefaults);
    });
    afterAll(() => Promise.all([ours.close(), handWritten.close()]));

    it.each(requests)("is ours, byte for byte, for %s %j", async (path, init) => {
      expect(await raw(handWritten, path, init)).toEqual(await raw(ours, path, init));
    });
  },
);
