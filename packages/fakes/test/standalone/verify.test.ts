// Assertions over HTTP: the same as in the library, about calls of every style.
import { create } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import { allStacks, connectTo, serveDefaults } from "@roundtrip/stacks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type CallRecord,
  expectCalls,
  type ExpectedCalls,
  noFaults,
  serveFake,
  type ServedFake,
} from "../../src/index.ts";
import { serveControl, standaloneFake } from "../../src/standalone/index.ts";

const contract = builtInContract();
const standalone = standaloneFake({ contract, stubs: [], faults: noFaults });
const getName = contract.operation("roundtrip.v1.CustomerService.GetCustomerName");
const styles = allStacks().filter(({ isDefault, style }) => isDefault && style !== "floor");

let served: ServedFake;
let control: { readonly url: string; close(): Promise<void> };

beforeAll(async () => {
  const servers = styles.map(({ name }) => ({ name, stack: name, port: 0, settings: {} }));
  served = await serveFake(standalone.fake, servers, serveDefaults);
  control = await serveControl(standalone, {
    urls: served.urls,
    settingsOf: () => ({}),
    ca: undefined,
    port: 0,
    shared: undefined,
  });
});
afterAll(async () => {
  await control.close();
  await served.close();
});
beforeEach(() => standalone.reset());

async function getCustomerName(stack: string, id: number, session = ""): Promise<void> {
  const client = await connectTo(stack, contract, { url: served.urls[stack] ?? "" });
  const metadata = new Map([["x-roundtrip-session", session]]);
  await client.prepare(getName)(create(getName.input, { id }), { metadata });
  await client.close();
}

interface Verified {
  readonly status: number;
  readonly text: string;
}

async function verify(body: unknown): Promise<Verified> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${control.url}verify`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
}

async function verified(body: unknown): Promise<readonly CallRecord[]> {
  const { status, text } = await verify(body);
  expect({ status, text }).toMatchObject({ status: 200 });
  return JSON.parse(text) as readonly CallRecord[];
}

/** The message of the library's error. */
function libraryMessage(...[operation, expected]: [string, Parameters<typeof expectCalls>[2]]): string {
  try {
    expectCalls(standalone.fake.log, operation, expected);
    return "";
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

describe.each(styles)("calls over $name", ({ name, style }) => {
  test("name their server, style and client, also in lists and in the summaries of live events", async () => {
    await getCustomerName(name, 7);
    const received = { server: name, style, client: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string };
    for (const shown of [style, name])
      expect(await verified({ operation: "GetCustomerName", style: shown })).toMatchObject([received]);
    for (const query of [`style=${style}`, `style=${name}`, `style=${style}&operation=GetCustomerName`, "summary"]) {
      expect(await (await fetch(`${control.url}calls?${query}`)).json()).toMatchObject([received]);
    }
    const [differs = ""] = styles.map((known) => known.style).filter((known) => known !== style);
    expect(await (await fetch(`${control.url}calls?style=${differs}`)).json()).toEqual([]);
    expect(await verify({ operation: "GetCustomerName", style: differs })).toMatchObject({ status: 409 });
  });

  test("are verified by session, request, outcome and number, with the difference of the library", async () => {
    await getCustomerName(name, 7, "mine");
    const expectation = { operation: "GetCustomerName", request: { id: 7 }, outcome: "OK", times: 1 } as const;
    expect(await verified(expectation)).toMatchObject([{ session: "mine", requests: [{ id: 7 }] }]);
    expect(await verified({ ...expectation, session: "mine" })).toHaveLength(1);
    const changes: readonly ExpectedCalls[] = [
      { request: { id: 8 } },
      { outcome: "NOT_FOUND" },
      { times: 2 },
      { headers: { "x-a": "b" } },
    ];
    for (const change of changes) {
      const { operation, ...expected } = { ...expectation, ...change };
      const text = libraryMessage(operation, expected);
      expect(text).toContain("expected");
      expect(await verify({ operation, ...expected })).toEqual({ status: 409, text: `${text}\n` });
    }
    const elsewhere = await verify({ ...expectation, session: "another" });
    expect(elsewhere).toMatchObject({ status: 409, text: expect.stringContaining("there were no calls") as string });
    expect(standalone.fake.sessions.names).not.toContain("another");
  });
});

test("an operation has its short name, its id, or its path over gRPC", async () => {
  await fetch(`${served.urls["rest-express"]}/v1/customers/7`);
  for (const operation of ["GetCustomer", "roundtrip.v1.CustomerService.GetCustomer"])
    expect(await verified({ operation })).toHaveLength(1);
  expect(await verified({ operation: "roundtrip.v1.CustomerService/GetCustomer" })).toHaveLength(1);
  expect(await verified({ operation: "/roundtrip.v1.CustomerService/GetCustomer" })).toHaveLength(1);
});

test("a call without a server has the style memory", async () => {
  const { memoryClient } = await import("@roundtrip/stacks/memory");
  const client = memoryClient(() => standalone.fake.service);
  await client.prepare(getName)(create(getName.input, { id: 7 }));
  expect(await verified({ operation: "GetCustomerName", style: "memory" })).toMatchObject([
    { server: "memory", style: "memory", client: "" },
  ]);
});

test("a refused request is in the difference", async () => {
  await fetch(`${served.urls["rest-express"]}/v1/custmers/7`);
  const { text } = await verify({ operation: "GetCustomer" });
  expect(text).toContain("REST GET /v1/custmers/7");
});

test.each([
  [[], "send a JSON object with operation, request, headers, outcome, times, atLeast, atMost, session, style"],
  [{}, "operation: expected a string, got nothing"],
  [{ operation: 5 }, "operation: expected a string, got 5"],
  [{ operation: "GetCustomer", time: 1 }, /^unknown member "time"; did you mean "times"\? \(valid: operation, /],
  [{ operation: "GetCustmer" }, 'the contract has no operation "GetCustmer"; did you mean "GetCustomer"?'],
  [{ operation: "GetCustomer", times: "1" }, 'times: expected a number, got "1"'],
  [{ operation: "GetCustomer", times: -1 }, "times must be an integer of at least 0, got -1"],
  [{ operation: "GetCustomer", headers: 5 }, "headers: expected a map, got 5"],
  [{ operation: "GetCustomer", headers: { "x-a": 5 } }, /headers.*expected a text, a pattern or null, got 5/],
  [{ operation: "GetCustomer", request: 5 }, /^request: .*got 5$/],
  [{ operation: "GetCustomer", request: null }, /^request: .*got null$/],
  [{ operation: "GetCustomer", request: { idd: 7 } }, /has no field "idd"; did you mean "id"\?/],
  [{ operation: "GetCustomer", outcome: "Ok" }, /^unknown outcome "Ok"; did you mean "OK"\?/],
  [{ operation: "GetCustomer", outcome: 5 }, "outcome: expected a string, got 5"],
  [{ operation: "GetCustomer", session: 5 }, "session: expected a string, got 5"],
  [{ operation: "GetCustomer", style: "rst" }, 'unknown style "rst"; did you mean "rest"?'],
  [
    { operation: "GetCustomer", style: "morse" },
    /^unknown style "morse" \(valid: memory, .*rest.*, and names of servers\)$/,
  ],
] as const)("the body %j gets 400 and one line", async (body, message) => {
  const { status, text } = await verify(body);
  const { error } = JSON.parse(text) as { readonly error: { readonly message: string } };
  expect(status).toBe(400);
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain("\n");
});

test("a query of calls by an unknown style is refused", async () => {
  const answer = await fetch(`${control.url}calls?style=graphqll`);
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('did you mean \\"graphql\\"')]);
});

test.each([
  [{ host: "fake.example" }, 421],
  [{ origin: "https://evil.example" }, 403],
  [{ "content-type": "text/plain" }, 415],
])("a request with %j is refused before anything is verified", async (headers, status) => {
  const { request } = await import("node:http");
  const body = JSON.stringify({ operation: "GetCustomer", times: 0 });
  const answered = await new Promise((resolve, reject) => {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
    request(`${control.url}verify`, init, (answer) => resolve(answer.resume().statusCode))
      .on("error", reject)
      .end(body);
  });
  expect(answered).toBe(status);
});

test("a body that is too large is refused", async () => {
  const large = { operation: "GetCustomer", request: { x: "x".repeat(5 * 1024 * 1024) } };
  expect(await verify(large)).toMatchObject({ status: 413 });
});
