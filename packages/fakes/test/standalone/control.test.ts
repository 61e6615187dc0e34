// The control server: what programs of this machine can see and change, and what others cannot.
import { builtInContract } from "@roundtrip/contract";
import { loadServe, serveDefaults, type ServedService } from "@roundtrip/stacks";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { noFaults, stackWatch, type CallRecord } from "../../src/index.ts";
import { serveControl, standaloneFake, type StandaloneFake } from "../../src/standalone/index.ts";

const contract = builtInContract();
const sayHello = "roundtrip.v1.HelloService.SayHello";

let standalone: StandaloneFake;
let rest: ServedService;
let control: { readonly url: string; close(): Promise<void> };

beforeAll(async () => {
  standalone = standaloneFake({ contract, stubs: [], faults: noFaults });
  const serve = await loadServe("rest-express");
  const watch = await stackWatch(standalone.fake, "rest-express");
  rest = await serve(standalone.fake.service, { ...serveDefaults, watch });
  const urls = { "rest-express": rest.url };
  control = await serveControl(standalone, { urls, settingsOf: () => ({}), ca: undefined, port: 0, shared: undefined });
});
afterAll(async () => {
  await control.close();
  await rest.close();
});
beforeEach(() => {
  standalone.reset();
  for (const { id } of standalone.stubs.all) standalone.stubs.remove(id);
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const init =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`${control.url}${path}`, { method, ...init });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

function hello(session: string): Promise<Response> {
  return fetch(`${rest.url}/v1/hello?name=Ada`, { headers: { "x-roundtrip-session": session } });
}

async function greeting(session = ""): Promise<string> {
  return ((await (await hello(session)).json()) as { readonly message: string }).message;
}

/** The data of the next live event of this kind. @param cause makes the event */
async function liveEvent(kind: string, cause: () => Promise<unknown>): Promise<unknown> {
  const stop = new AbortController();
  const live = await fetch(`${control.url}live`, { signal: stop.signal });
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader();
  await cause();
  let text = "";
  while (!text.includes(`event: ${kind}`)) text += (await reader?.read())?.value ?? "";
  stop.abort();
  return JSON.parse(/\ndata: (.*)\n/.exec(text.slice(text.indexOf(`event: ${kind}`)))?.[1] ?? "");
}

const stub = (message: string): string =>
  `operation: SayHello\nwhen: { name: Ada }\nresponse: { message: ${message} }\n`;

/** The paths of the interface, and the methods of each. */
const paths: readonly (readonly [path: string, allow: string])[] = [
  ["", "GET, HEAD, OPTIONS"],
  ["app.js", "GET, HEAD, OPTIONS"],
  ["operations", "GET, HEAD, OPTIONS"],
  ["servers", "GET, HEAD, OPTIONS"],
  ["live", "GET, HEAD, OPTIONS"],
  ["refusals", "GET, HEAD, OPTIONS"],
  ["calls", "DELETE, GET, HEAD, OPTIONS"],
  ["sessions", "DELETE, GET, HEAD, OPTIONS"],
  ["stubs", "GET, HEAD, OPTIONS, POST"],
  ["stubs/check", "OPTIONS, POST"],
  ["stubs/from-call", "OPTIONS, POST"],
  ["stubs/7", "DELETE, OPTIONS, PUT"],
  ["faults", "DELETE, GET, HEAD, OPTIONS, PUT"],
  ["send", "OPTIONS, POST"],
  ["verify", "OPTIONS, POST"],
];

test.each(paths)("/%s says which methods it has: %s", async (path, allow) => {
  for (const method of ["OPTIONS", "PATCH", "DELETE", "GET", "HEAD"]) {
    if (method !== "OPTIONS" && allow.includes(method)) continue;
    // oxlint-disable-next-line no-await-in-loop
    const { status, headers } = await fetch(`${control.url}${path}`, { method });
    expect([method, status, headers.get("allow")]).toEqual([method, method === "OPTIONS" ? 204 : 405, allow]);
  }
});

describe("operations", () => {
  test("are listed with their form in each style", async () => {
    const { body } = await ask("GET", "operations");
    const operations = body as readonly { readonly id: string; readonly kind: string; readonly request: unknown }[];
    expect(operations.map(({ id }) => id)).toEqual(contract.operations.map(({ id }) => id));
    expect(operations.find(({ id }) => id === sayHello)).toMatchObject({
      comment: expect.stringContaining("Greets") as string,
      styles: [{ stack: "rest-express", title: "REST", signature: "GET /v1/hello?name=", lost: [] }],
    });
  });
});

describe("stubs", () => {
  test("are added, changed and removed with immediate effect", async () => {
    const { status, body } = await ask("POST", "stubs", { text: stub("one") });
    const [{ id }] = body as readonly [{ readonly id: string }];
    expect(status).toBe(201);
    expect(await greeting()).toBe("one");
    await ask("PUT", `stubs/${id}`, { text: stub("two") });
    expect(await greeting()).toBe("two");
    await ask("POST", "stubs", { text: stub("before it") });
    expect(await greeting()).toBe("before it");
    expect((await ask("GET", "stubs")).body).toMatchObject([
      { operation: sayHello, origin: "added", text: expect.stringContaining("before it") as string },
      { id, text: expect.stringContaining("two") as string },
    ]);
    for (const each of standalone.stubs.all) expect((await ask("DELETE", `stubs/${each.id}`)).status).toBe(204);
    expect(["one", "two", "before it"]).not.toContain(await greeting());
  });

  test("with errors are rejected with the line, and change nothing", async () => {
    await ask("POST", "stubs", { text: stub("one") });
    for (const [text, message] of [
      [stub("x").replace("message:", "mesage:"), /line.*|did you mean "message"/],
      [stub("x").replace("SayHello", "SayHelo"), /did you mean "SayHello"/],
      ["- [", /./],
      ["", /contains no stub/],
    ] as const) {
      for (const path of ["stubs", "stubs/check"]) {
        const { status, body } = await ask("POST", path, { text });
        expect(status).toBe(400);
        expect((body as { error: { message: string } }).error.message).toMatch(message);
      }
    }
    expect((await ask("PUT", "stubs/99999", { text: stub("x") })).status).toBe(404);
    expect(await greeting()).toBe("one");
  });

  test("beyond a thousand are refused with what to do, and change nothing", () => {
    const full = standaloneFake({ contract, stubs: [], faults: noFaults });
    const one = { operation: sayHello, response: {} } as const;
    full.stubs.add(Array.from({ length: 1_000 }, () => one));
    expect(() => full.stubs.add([one])).toThrow("at most 1000 stubs can be added: remove one first");
    expect(full.stubs.all).toHaveLength(1_000);
  });

  test("from files apply after added ones, and are restored when the file is next read", async () => {
    standalone.takeFiles({
      stubs: [{ operation: sayHello, response: { message: "file" } }],
    });
    expect(await greeting()).toBe("file");
    const id = standalone.stubs.all[0]?.id;
    await ask("PUT", `stubs/${id}`, { text: stub("changed") });
    expect((await ask("GET", "stubs")).body).toMatchObject([{ origin: "file", isChanged: true }]);
    await ask("POST", "stubs", { text: stub("added") });
    expect(await greeting()).toBe("added");
    standalone.takeFiles({ stubs: [] });
    expect(standalone.stubs.all).toMatchObject([{ origin: "added" }]);
    expect(await greeting()).toBe("added");
  });
});

test("a stub repeats a call from the log", async () => {
  const message = await greeting("seen");
  const { body } = await ask("GET", "calls?session=seen");
  const [{ operation, requests, responses, outcome, details }] = body as readonly [CallRecord];
  const { body: made } = await ask("POST", "stubs/from-call", { operation, requests, responses, outcome, details });
  expect(made).toEqual({
    text: `- operation: ${sayHello}\n  when:\n    name: Ada\n  response:\n    message: ${message}\n`,
  });
  expect((await ask("POST", "stubs/from-call", { operation, requests, responses, outcome: "MAYBE" })).status).toBe(400);
});

test("servers are listed with their page, or with a command for tools", async () => {
  expect((await ask("GET", "servers")).body).toEqual([
    {
      stack: "rest-express",
      style: "rest",
      title: "REST",
      url: rest.url,
      page: { url: `${rest.url}/docs`, title: "API page" },
    },
  ]);
  expect((await fetch(`${rest.url}/docs`)).headers.get("content-type")).toContain("text/html");
});

describe("calls", () => {
  test("are read by session and operation, and cleared", async () => {
    await greeting("one");
    await greeting("two");
    const { body } = await ask("GET", "calls?session=one");
    expect(body).toMatchObject([{ session: "one", operation: sayHello, requests: [{ name: "Ada" }], outcome: "OK" }]);
    expect((await ask("GET", `calls?operation=${sayHello}`)).body).toHaveLength(2);
    expect((await ask("GET", "calls?limit=1")).body).toMatchObject([{ session: "two" }]);
    expect((await ask("GET", "calls?session=three")).body).toEqual([]);
    expect(standalone.fake.sessions.names).not.toContain("three");
    await ask("DELETE", "calls?session=one");
    expect((await ask("GET", "calls")).body).toMatchObject([{ session: "two" }]);
  });

  test("are sent as live events, without their messages", async () => {
    const call = (await liveEvent("call", () => greeting("seen"))) as CallRecord;
    expect(call).toMatchObject({ session: "seen", outcome: "OK" });
    expect(Object.keys(call)).not.toContain("requests");
  });

  test("are sent over a stack, in a session, and return their outcome", async () => {
    const call = { stack: "rest-express", operation: "SayHello", session: "mine" };
    expect((await ask("POST", "send", { ...call, request: { name: "Ada" } })).body).toMatchObject({
      outcome: "OK",
      responses: [{ message: expect.any(String) as string }],
    });
    expect((await ask("POST", "send", { ...call, request: { name: "" } })).body).toMatchObject({
      outcome: "INVALID_ARGUMENT",
      details: { violations: [{ field: "name" }] },
    });
    expect((await ask("GET", "calls?session=mine")).body).toHaveLength(2);
    for (const [change, status] of [
      [{ stack: "grpc-js" }, 400],
      [{ operation: "SayHelo" }, 400],
      [{ request: { nome: "Ada" } }, 400],
      [{ requests: [] }, 400],
    ] as const) {
      expect((await ask("POST", "send", { ...call, request: { name: "Ada" }, ...change })).status).toBe(status);
    }
  });
});

test("faults are read, replaced and removed", async () => {
  const plan = "faults:\n  - { operation: SayHello, error: { code: UNAVAILABLE } }\n";
  expect((await ask("PUT", "faults", { text: plan })).body).toMatchObject({ rules: 1 });
  expect((await fetch(`${rest.url}/v1/hello?name=Ada`)).status).toBe(503);
  const { status, body } = await ask("PUT", "faults", { text: plan.replace("SayHello", "SayHelo") });
  expect([status, (body as { error: { message: string } }).error.message]).toEqual([
    400,
    expect.stringContaining('did you mean "SayHello"'),
  ]);
  await ask("PUT", "faults", { text: "presets: [flaky]" });
  expect((await ask("GET", "faults")).body).toMatchObject({ rules: 3, text: "presets:\n  - flaky\n" });
  expect((await ask("DELETE", "faults")).status).toBe(204);
  expect((await fetch(`${rest.url}/v1/hello?name=Ada`)).status).toBe(200);
});

test("sessions are listed and reset", async () => {
  await greeting("here");
  expect((await ask("GET", "sessions")).body).toContain("here");
  expect((await ask("DELETE", "sessions?session=here")).status).toBe(204);
  expect((await ask("GET", "calls?session=here")).body).toEqual([]);
});

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
  expect([(await hello("mine")).status, (await hello("other")).status]).toEqual([503, 200]);
  expect((await ask("GET", "faults?session=mine")).body).toMatchObject({ rules: 1 });
  expect((await ask("GET", "faults")).body).toMatchObject({ rules: 0 });
  await ask("DELETE", "faults?session=mine");
  expect((await hello("mine")).status).toBe(200);

  await ask("POST", "stubs", { text, session: "mine" });
  await ask("DELETE", "sessions?session=mine");
  expect((await ask("GET", "stubs")).body).toEqual([]);
});

function takeContract(): Promise<unknown> {
  return Promise.resolve(standalone.takeFiles({ contract }));
}

test("what a read contract changes is sent as a live event", async () => {
  expect(await liveEvent("change", takeContract)).toEqual({
    part: "contract",
    text: "Nothing changed in the contract.",
  });
});

test("why changed files are not applied is sent as a live event", async () => {
  const text = "files not applied: stubs.yaml:1:1: no operation";
  expect(await liveEvent("change", () => Promise.resolve(standalone.report(text)))).toEqual({ text });
});

test("refused requests are listed by session, sent as live events, and cleared with the calls", async () => {
  const headers = { "x-roundtrip-session": "mine" };
  await liveEvent("refusal", () => fetch(`${rest.url}/v1/custmers/7`, { headers }));
  expect((await ask("GET", "refusals?session=mine")).body).toMatchObject([
    { style: "REST", request: "GET /v1/custmers/7", nearest: { address: "GET /v1/customers/{id}" } },
  ]);
  expect((await ask("GET", "refusals?session=other")).body).toEqual([]);
  await ask("DELETE", "calls?session=mine");
  expect((await ask("GET", "refusals")).body).toEqual([]);
});

describe("a query", () => {
  test.each([
    ...["operations", "servers", "calls", "refusals", "sessions", "stubs", "faults", "live"].map((path) => [
      "GET",
      path,
    ]),
    ...["calls", "sessions", "stubs/1", "faults"].map((path) => ["DELETE", path]),
    ...["stubs", "stubs/check", "stubs/from-call", "send", "verify"].map((path) => ["POST", path]),
    ...["stubs/1", "faults"].map((path) => ["PUT", path]),
  ])("with a parameter that %s /%s does not have is refused, and nothing happens", async (method = "", path = "") => {
    await greeting("seen");
    const { status, body } = await ask(method, `${path}?sesion=seen`, method.startsWith("P") ? {} : undefined);
    expect([status, body]).toMatchObject([
      400,
      {
        error: {
          code: "bad-request",
          message: expect.stringMatching(/^unknown parameter "sesion".* \(valid: /) as string,
        },
      },
    ]);
    expect(standalone.fake.log.records).toHaveLength(1);
  });

  test.each([
    ["calls?session=a&session=b", "give session once"],
    ["calls?operation=", "operation must have a value; leave it out for all"],
    ["calls?__proto__=1", 'unknown parameter "__proto__" (valid: session, style, operation, index, limit, summary)'],
    ["calls?limit=none", "limit must be a whole number, 1 to 10000"],
    ["calls?summary=no", 'summary must be true or false, got "no"'],
    ["calls?operation=SayHelo", 'the contract has no operation "SayHelo"; did you mean "SayHello"?'],
  ])("%s is refused", async (path, message) => {
    expect(await ask("GET", path)).toMatchObject({ status: 400, body: { error: { message } } });
  });

  test("with an empty session is about the calls that name none", async () => {
    await greeting();
    await greeting("mine");
    expect((await ask("DELETE", "sessions?session=")).status).toBe(204);
    expect(standalone.fake.log.records).toMatchObject([{ session: "mine" }]);
  });
});

/** `fetch` sets these headers itself. */
const statusOf = (headers: Readonly<Record<string, string>>, method = "GET", path = "calls"): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = httpRequest(`${control.url}${path}`, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject).end();
  });

describe("other clients", () => {
  test.each([
    { host: "fake.example" },
    { host: "127.0.0.1.example:80" },
    { host: "localhost.example" },
    { host: "evillocalhost" },
    { host: "localhost.example", origin: "http://localhost.example" },
  ])("that ask for %j are refused", async (headers) => {
    expect(await statusOf(headers)).toBe(421);
    expect(await statusOf(headers, "DELETE", "stubs/1")).toBe(421);
    expect(await statusOf(headers, "GET", "")).toBe(421);
  });

  test.each([
    { origin: "https://evil.example" },
    { origin: "http://localhost:1" },
    { origin: "http://evillocalhost" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("with %j are rejected", async (headers) => {
    expect(await statusOf(headers)).toBe(403);
    expect(await statusOf(headers, "DELETE", "stubs/1")).toBe(403);
    expect(await statusOf(headers, "GET", "")).toBe(403);
  });

  test("can link to the page, and programs of this machine can use any of its names", async () => {
    const { host, port } = new URL(control.url);
    const opened = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect(await statusOf(opened, "GET", "")).toBe(200);
    expect(await statusOf({ host: `localhost:${port}` })).toBe(200);
    expect(await statusOf({ host, origin: `http://${host}`, "sec-fetch-site": "same-origin" })).toBe(200);
  });

  test("HEAD of live events, which end at once", async () => {
    const answer = await fetch(`${control.url}live`, { method: "HEAD", signal: AbortSignal.timeout(2_000) });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  });

  test("get no CORS headers, and may not frame the page or sniff its type", async () => {
    const { headers } = await fetch(control.url);
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  test("cannot send invalid JSON or a body that is too large", async () => {
    const form = await fetch(`${control.url}stubs`, { method: "POST", body: new URLSearchParams({ text: "x" }) });
    expect(form.status).toBe(415);
    expect((await ask("POST", "stubs", { text: "x".repeat(5 * 1024 * 1024) })).status).toBe(413);
    expect((await ask("POST", "stubs", { txt: "x" })).body).toMatchObject({
      error: { message: expect.stringContaining('unknown member "txt"') as string },
    });
    expect((await ask("GET", "nothing/here")).status).toBe(404);
  });

  test.each([
    ["stubs", "- operation: SayHello\n  response: { message: x }\n".repeat(20_000)],
    ["stubs/check", "[".repeat(1_000_000)],
    ["stubs", `a: &a [1]\n${"b: *a\n".repeat(100_000)}`],
    ["faults", "- ".repeat(500_000)],
    ["faults", "---\n".repeat(200_000)],
  ])("cannot send %s a text with too much in it", async (path, text) => {
    const method = path === "faults" ? "PUT" : "POST";
    expect(await ask(method, path, { text })).toMatchObject({
      status: 400,
      body: { error: { code: "too-large", message: expect.stringContaining("more than 20000 tokens") as string } },
    });
  });

  test("cannot send JSON with millions of brackets", async () => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"text":${"[".repeat(1_000_000)}`,
    };
    expect((await fetch(`${control.url}stubs`, init)).status).toBe(400);
    const wide = { ...init, body: `{"text":[${"[],".repeat(100_000)}[]]}` };
    expect((await fetch(`${control.url}stubs`, wide)).status).toBe(413);
  });
});
