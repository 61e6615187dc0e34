// An unknown name, in any style, is answered with the nearest that the contract has; not where interceptors protect the service.
import { builtInContract, type Interceptor, type Service } from "@roundtrip/contract";
import { loadServe, serveDefaults } from "@roundtrip/stacks";
import { realService } from "@roundtrip/service";
import { once } from "node:events";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { expect, onTestFinished, test } from "vitest";

const contract = builtInContract();
const protecting: Interceptor = (service) => ({
  ...service,
  guard: (inner) => protecting(service.guard(inner)),
});

const json = { "content-type": "application/json" };
const customers = "roundtrip.v1.CustomerService";
const rpc = { jsonrpc: "2.0", id: 1, method: `${customers}.GetCustmer`, params: {} };
const element = `<GetCustmer xmlns="urn:protobuf:service:roundtrip:v1:CustomerService"/>`;
const envelope = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${element}</s:Body></s:Envelope>`;
const query = JSON.stringify({ query: "{ custmer(id: 7) { name } }" });

/** What is sent to the address of a stack, and the name that its answer proposes. */
const misspelled: readonly (readonly [stack: string, path: string, request: RequestInit, proposed: string])[] = [
  ...["rest-express", "rest-fastify", "rest-hono", "rest-node-http"].map(
    (stack) => [stack, "/v1/custmers/7", {}, "GET /v1/customers/{id}"] as const,
  ),
  ["rest-express", "/v1/customers?pagSize=1", {}, "pageSize"],
  ["rest-express", "/v1/customers?page_sze=1", {}, "page_size"],
  ["rest-express", "/v1/customers", { method: "POST", headers: json, body: '{"id":7,"mial":"a@b.c"}' }, "mail"],
  ["rest-fastify", "/v1/customers", { method: "POST", headers: json, body: '{"id":7,"mial":"a@b.c"}' }, "mail"],
  ["rest-express", "/v1/customers:bach", { method: "POST" }, "POST /v1/customers"],
  ...["graphql-apollo", "graphql-http", "graphql-mercurius", "graphql-yoga"].map(
    (stack) => [stack, "", { method: "POST", headers: json, body: query }, "customer"] as const,
  ),
  ...["json-rpc-2", "json-rpc-node-http"].map(
    (stack) =>
      [stack, "", { method: "POST", headers: json, body: JSON.stringify(rpc) }, `${customers}.GetCustomer`] as const,
  ),
  ["soap-node-http", "", { method: "POST", headers: { "content-type": "text/xml" }, body: envelope }, "GetCustomer"],
  [
    "connect-node",
    `/${customers}/GetCustmer`,
    { method: "POST", headers: json, body: "{}" },
    `/${customers}/GetCustomer`,
  ],
  [
    "connect-node",
    `/${customers}/GetCustmer`,
    { method: "POST", headers: { "content-type": "application/grpc-web+proto" }, body: Buffer.alloc(5) },
    `/${customers}/GetCustomer`,
  ],
];

async function answerOf(stack: string, path: string, request: RequestInit, interceptor?: Interceptor): Promise<string> {
  const real = realService(contract);
  const serve = await loadServe(stack);
  const server = await serve(interceptor === undefined ? real : interceptor(real), serveDefaults);
  onTestFinished(() => server.close());
  const answer = await fetch(`${server.url}${path}`, request);
  // In JSON and XML alike.
  const text = `${await answer.text()}${decodeURI(answer.headers.get("grpc-message") ?? "")}`;
  return text.replaceAll(/\\"|&quot;/g, '"');
}

test.each(misspelled)("%s proposes a name at %s", async (stack, path, request, proposed) => {
  // graphql-js begins a sentence with it.
  expect((await answerOf(stack, path, request)).replace("Did", "did")).toContain(`did you mean "${proposed}"`);
  expect(await answerOf(stack, path, request, protecting)).not.toMatch(/did you mean/i);
});

// The library of grpc-js answers by itself on a port of its own; on the shared one, as these.
test.each(["grpc-node-http2", "grpc-connect-node"])("%s proposes methods and services", async (stack) => {
  const serve = await loadServe(stack);
  const real = realService(contract);
  const messageOf = async (path: string, service: Service = real): Promise<string> => {
    const server = await serve(service, serveDefaults);
    const session = connect(server.url);
    onTestFinished(async () => {
      session.destroy();
      await server.close();
    });
    const call = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    const [headers] = (await once(call.end(), "response")) as [IncomingHttpHeaders];
    expect(headers["grpc-status"]).toBe("12");
    return decodeURI(String(headers["grpc-message"]));
  };
  const method = `there is no method /${customers}/GetCustmer`;
  expect(await messageOf(`/${customers}/GetCustmer`)).toBe(`${method}; did you mean "/${customers}/GetCustomer"?`);
  expect(await messageOf("/roundtrip.v1.CustmerService/GetCustomer")).toContain(
    `did you mean "/${customers}/GetCustomer"?`,
  );
  expect(await messageOf("/grpc.health.v1.Helth/Check")).toContain(`did you mean "/grpc.health.v1.Health/Check"?`);
  expect(await messageOf(`/${customers}/GetCustmer`, protecting(real))).toBe(method);
});

test("an element of no namespace is answered with that of its name", async () => {
  const bare = envelope.replace(/<GetCustmer[^>]*>/, "<GetCustomer/>");
  const request = { method: "POST", headers: { "content-type": "text/xml" }, body: bare };
  expect(await answerOf("soap-node-http", "", request)).toContain(
    "did you mean that of urn:protobuf:service:roundtrip:v1:CustomerService?",
  );
  expect(await answerOf("soap-node-http", "", request, protecting)).not.toMatch(/did you mean/i);
});
