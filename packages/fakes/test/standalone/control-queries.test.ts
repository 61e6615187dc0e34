// The query of a request to the control server: what it takes, and that nothing is done for a query that it does not understand.
import { noFaults } from "../../src/index.ts";
import { serveControl, standaloneFake, type StandaloneFake } from "../../src/standalone/index.ts";
import { ServerCall, type Contract } from "@roundtrip/contract";
import type { RunningServer } from "@roundtrip/stacks";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

const contract: Contract = compileContract(`syntax = "proto3";
package inn.v1;
service Hotels { rpc GetHotel(Hotel) returns (Hotel); rpc Find(Hotel) returns (Hotel); }
service Bars { rpc GetBar(Hotel) returns (Hotel); rpc Find(Hotel) returns (Hotel); }
message Hotel { string name = 1; }`);

let standalone: StandaloneFake;
let control: RunningServer;

beforeAll(async () => {
  standalone = standaloneFake({ contract, stubs: [], faults: noFaults });
  control = await serveControl(standalone, { urls: {}, connectUrl: "http://127.0.0.1:1", ca: undefined, port: 0 });
});
afterAll(() => control.close());

const made = ["inn.v1.Hotels.GetHotel", "inn.v1.Hotels.Find", "inn.v1.Bars.Find"];

beforeEach(async () => {
  standalone.fake.reset();
  for (const id of made) {
    const operation = contract.operation(id);
    await standalone.fake.service.call(operation, create(operation.input), new ServerCall());
  }
});

async function ask(method: string, path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${control.url}${path}`, {
    method,
    signal: AbortSignal.timeout(10_000),
    ...(method === "POST" || method === "PUT"
      ? { headers: { "content-type": "application/json" }, body: JSON.stringify({}) }
      : {}),
  });
  if (answer.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    await answer.body?.cancel();
    return { status: answer.status, body: undefined };
  }
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** Each route with the parameters that it takes, and a valid value of each. */
const routes: readonly (readonly [method: string, path: string, parameters: Readonly<Record<string, string>>])[] = [
  ["GET", "operations", {}],
  ["GET", "servers", {}],
  ["GET", "calls", { session: "s", operation: "GetHotel", index: "1", limit: "5", summary: "true" }],
  ["DELETE", "calls", { session: "s" }],
  ["GET", "refusals", { session: "s", limit: "5" }],
  ["GET", "sessions", {}],
  ["DELETE", "sessions", { session: "s" }],
  ["GET", "stubs", {}],
  ["POST", "stubs", {}],
  ["POST", "stubs/check", {}],
  ["POST", "stubs/from-call", {}],
  ["PUT", "stubs/1", {}],
  ["DELETE", "stubs/1", {}],
  ["GET", "faults", { session: "s" }],
  ["PUT", "faults", {}],
  ["DELETE", "faults", { session: "s" }],
  ["GET", "live", {}],
  ["POST", "send", {}],
];

const known = ["session", "operation", "index", "limit", "summary"];

describe.each(routes)("%s /%s", (method, path, parameters) => {
  const names = Object.keys(parameters);

  /** The refusal of the request, after which all calls are still in the log. */
  async function refusalOf(query: string): Promise<string> {
    const { status, body } = await ask(method, `${path}?${query}`);
    const { error } = body as { readonly error: { readonly code: string; readonly message: string } };
    return `${status} ${error.code}, ${standalone.fake.log.records.length} calls: ${error.message}`;
  }
  const refused = `400 bad-request, ${made.length} calls:`;

  it.each([...known.filter((name) => !names.includes(name)), "sesion", "Session", "session[]", "__proto__", ""])(
    "refuses the parameter %j",
    async (name) => {
      const valid = names.length === 0 ? "no parameters" : names.join(", ");
      const message = `unknown parameter ${JSON.stringify(name)} (valid: ${valid})`;
      expect(await refusalOf(`${name}=1`)).toBe(`${refused} ${message}`);
    },
  );

  if (names.length === 0) return;

  it.each(names)("refuses %s twice", async (name) => {
    const pair = `${name}=${parameters[name]}`;
    expect(await refusalOf(`${pair}&${pair}`)).toBe(`${refused} give ${name} once`);
  });

  it.each(names.filter((name) => name !== "session" && name !== "summary"))(
    "refuses %s without a value",
    async (name) => {
      expect(await refusalOf(name)).toContain(`${refused} ${name} must have a value`);
      expect(await refusalOf(`${name}=`)).toContain(`${refused} ${name} must have a value`);
    },
  );

  it("takes its parameters, each alone and all together", async () => {
    const all = new URLSearchParams(parameters).toString();
    for (const query of [...names.map((name) => `${name}=${parameters[name]}`), all, `&${all}&`])
      expect((await ask(method, `${path}?${query}`)).status).toBeLessThan(300);
  });
});

describe("GET /calls", () => {
  it.each([
    ["GetHotel", ["inn.v1.Hotels.GetHotel"]],
    ["Hotels.GetHotel", ["inn.v1.Hotels.GetHotel"]],
    ["inn.v1.Hotels.GetHotel", ["inn.v1.Hotels.GetHotel"]],
    ["Bars.Find", ["inn.v1.Bars.Find"]],
    ["GetBar", []],
  ])("takes an operation's name as in stubs: %s", async (name, expected) => {
    const { status, body } = await ask("GET", `calls?operation=${name}`);
    expect(status).toBe(200);
    expect((body as readonly { operation: string }[]).map(({ operation }) => operation)).toEqual(expected);
  });

  it.each([
    ["GetHotl", 'no operation "GetHotl"; did you mean "GetHotel"?'],
    ["Find", '"Find" may be any of inn.v1.Hotels.Find, inn.v1.Bars.Find'],
    ["gethotel", 'no operation "gethotel"'],
    ["Hotel", 'no operation "Hotel"'],
  ])("refuses the operation %s", async (name, message) => {
    expect(await ask("GET", `calls?operation=${name}`)).toEqual({
      status: 400,
      body: { error: { code: "unknown-operation", message: expect.stringContaining(message) as string } },
    });
  });

  it.each([
    ["summary", false],
    ["summary=true", false],
    ["summary=false", true],
    ["", true],
  ])("lists messages unless it is short: ?%s", async (query, hasMessages) => {
    const { body } = await ask("GET", `calls?${query}`);
    expect((body as readonly object[]).map((call) => "requests" in call)).toEqual(made.map(() => hasMessages));
    expect((await ask("GET", "calls?summary=no")).status).toBe(400);
  });
});

it("an empty session is the one of calls that name none", async () => {
  expect((await ask("GET", "calls?session=")).body).toHaveLength(made.length);
  expect((await ask("DELETE", "sessions?session=other")).status).toBe(204);
  expect(standalone.fake.log.records).toHaveLength(made.length);
  expect((await ask("DELETE", "sessions?session=")).status).toBe(204);
  expect(standalone.fake.log.records).toEqual([]);
});
