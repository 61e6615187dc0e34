// The control server: stubs and faults of single sessions, and requests that reached no operation.
import { builtInContract } from "@roundtrip/contract";
import { loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { noFaults, stackWatch } from "../../src/index.ts";
import { serveControl, standaloneFake, type StandaloneFake } from "../../src/standalone/index.ts";

let standalone: StandaloneFake;
let rest: RunningServer;
let control: RunningServer;

beforeAll(async () => {
  standalone = standaloneFake({ contract: builtInContract(), stubs: [], faults: noFaults });
  const serve = await loadServe("rest-express");
  const watch = await stackWatch(standalone.fake, "rest-express");
  rest = await serve(standalone.fake.service, { ...serveDefaults, watch });
  const urls = { "rest-express": rest.url };
  control = await serveControl(standalone, { urls, connectUrl: "http://127.0.0.1:1", ca: undefined, port: 0 });
});
afterAll(async () => {
  await control.close();
  await rest.close();
});
beforeEach(() => standalone.fake.reset());

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const init =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`${control.url}${path}`, { method, ...init });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

function hello(session: string): Promise<Response> {
  return fetch(`${rest.url}/v1/hello?name=Ada`, { headers: { "x-roundtrip-session": session } });
}

async function greeting(session: string): Promise<string> {
  return ((await (await hello(session)).json()) as { readonly message: string }).message;
}

async function statusIn(session: string): Promise<number> {
  return (await hello(session)).status;
}

test("stubs and faults of one session are added, listed, changed and removed, and end with the session", async () => {
  const text = "operation: SayHello\nresponse: { message: only here }";
  const { status, body } = await ask("POST", "stubs", { text, session: "mine" });
  const [{ id }] = body as readonly [{ readonly id: string }];
  expect([status, body]).toEqual([201, [expect.objectContaining({ session: "mine", origin: "added" })]]);
  expect([await greeting("mine"), await greeting("other")]).toEqual([
    "only here",
    expect.not.stringMatching("only here"),
  ]);
  expect((await ask("PUT", `stubs/${id}`, { text: text.replace("only", "changed") })).body).toMatchObject({ id });
  expect(await greeting("mine")).toBe("changed here");
  expect((await ask("GET", "stubs")).body).toMatchObject([{ id, session: "mine" }]);
  expect((await ask("DELETE", `stubs/${id}`)).status).toBe(204);
  expect((await ask("GET", "stubs")).body).toEqual([]);

  const plan = "faults: [{ operation: '*', error: { code: UNAVAILABLE } }]";
  await ask("PUT", "faults", { text: plan, session: "mine" });
  expect([await statusIn("mine"), await statusIn("other")]).toEqual([503, 200]);
  expect((await ask("GET", "faults?session=mine")).body).toMatchObject({ text: plan });
  expect((await ask("GET", "faults")).body).toMatchObject({ rules: 0 });
  await ask("DELETE", "faults?session=mine");
  expect(await statusIn("mine")).toBe(200);

  await ask("POST", "stubs", { text, session: "mine" });
  await ask("DELETE", "sessions?session=mine");
  expect((await ask("GET", "stubs")).body).toEqual([]);
});

test("refused requests are listed by session, sent as live events, and cleared with the calls", async () => {
  const stop = new AbortController();
  const live = await fetch(`${control.url}live`, { signal: stop.signal });
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader();
  await fetch(`${rest.url}/v1/custmers/7`, { headers: { "x-roundtrip-session": "mine" } });
  let text = "";
  while (!text.includes("event: refusal")) text += (await reader?.read())?.value ?? "";
  stop.abort();
  expect((await ask("GET", "refusals?session=mine")).body).toMatchObject([
    { style: "REST", request: "GET /v1/custmers/7", nearest: { address: "GET /v1/customers/{id}" } },
  ]);
  expect((await ask("GET", "refusals?session=other")).body).toEqual([]);
  await ask("DELETE", "calls?session=mine");
  expect((await ask("GET", "refusals")).body).toEqual([]);
});
