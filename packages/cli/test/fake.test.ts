// `fake`: every style of a contract with one command, which follows its files and ends on request.
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, until, folderWith, listening } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { type Started, started } from "./support/started-fake.ts";
import { refusal } from "./support/outcomes.ts";

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const shopOf = (...methods: readonly string[]): string => `syntax = "proto3";
package shop.v1;
message Order { string item = 1; }
service Shop {
${methods.map((name) => `  rpc ${name}(Order) returns (Order);\n`).join("")}}
`;

/** A folder with a contract of somebody else's in `shop/`. */
const shopFolder = (): string => folderWith({ "shop/shop.proto": shopOf("Buy") });

const innText = `syntax = "proto3";
package inn.v1;
service Inn {
  rpc GetGuest(Guest) returns (Guest);
  rpc ListGuests(ListGuestsRequest) returns (ListGuestsResponse);
}
message Guest { string name = 1; }
message ListGuestsRequest { string name = 1; string sort = 2; string view = 3; }
message ListGuestsResponse { repeated Guest guests = 1; }
`;

const stubOf = (item: string): string => `operation: Buy\nresponse: { item: ${item} }\n`;

async function bought({ urls }: Pick<Started, "urls">, method = "Buy"): Promise<unknown> {
  const answer = await post(`${urls["rest-express"]}/shop.v1.Shop/${method}`, { item: "tea" });
  return answer.json();
}

/** What REST answers to somebody with a secret. */
async function get({ urls }: Started, path: string): Promise<unknown> {
  return (await fetch(`${urls["rest-express"]}${path}`, { headers: { authorization: "Bearer secret" } })).json();
}

async function boughtIs(fake: Started, item: string, method = "Buy"): Promise<void> {
  const giveUpAt = Date.now() + 30_000;
  for (;;) {
    const answer = (await bought(fake, method)) as { readonly item?: string };
    if (answer.item === item) return;
    if (Date.now() > giveUpAt) throw new Error(`answers ${JSON.stringify(answer)} for ever`);
  }
}

/** Resolves when the fake has reported this. A file that is written in place may be read, and reported, when it is still empty. */
async function saidBy({ program }: Awaited<ReturnType<typeof started>>, report: RegExp): Promise<void> {
  await until(() => (report.test(program.output().stderr) ? true : undefined));
}

/** How many hosts and ports its addresses have. */
function hostsOf({ urls }: Started): number {
  return new Set(Object.values(urls).map((url) => new URL(url).host)).size;
}

const everyStyle = ["graphql-apollo", "grpc-js", "rest-express", "connect-node", "json-rpc-2", "soap-node-http"];

describe.concurrent("a fake", () => {
  it("serves every style and a page, prints the addresses, and ends with Ctrl-C", async () => {
    const { program, urls } = await started([], emptyFolder());
    expect(Object.keys(urls)).toEqual(["fake", ...everyStyle, "page"]);
    expect(await (await fetch(`${urls["rest-express"]}/v1/hello?name=Ada`)).json()).toMatchObject({
      message: expect.any(String) as string,
    });
    expect((await fetch(urls["page"] ?? "")).headers.get("content-type")).toMatch(/^text\/html/);
    program.signal("SIGINT");
    expect(await program.ended).toMatchObject({ status: 0, stderr: "" });
  });

  it("serves every style and the page on one port, or each on its own", async () => {
    await using together = await started([], emptyFolder());
    expect(hostsOf(together)).toBe(1);
    for (const stack of everyStyle) {
      const sent = { stack, operation: "SayHello", request: { name: "Ada" } };
      // oxlint-disable-next-line no-await-in-loop
      expect(await (await post(`${together.urls["page"]}send`, sent)).json()).toMatchObject({ outcome: "OK" });
    }
    const rest = await fetch(`${together.urls["fake"]}/v1/hello?name=Ada`);
    expect(await rest.json()).toMatchObject({ message: expect.any(String) as string });
    await using apart = await started(["--own-ports", "--set", "rest-express.maxConnectionIdleMs=9"], emptyFolder());
    expect(Object.keys(apart.urls)).toEqual([...everyStyle, "page"]);
    expect(hostsOf(apart)).toBe(7);
  });

  it("follows its stubs, written in place or renamed into place, and keeps to the last ones that make sense", async () => {
    const cwd = shopFolder();
    const file = join(cwd, "stubs.yaml");
    writeFileSync(file, stubOf("one"));
    await using fake = await started(["--contract", "shop", "--stubs", "stubs.yaml"], cwd);
    await boughtIs(fake, "one");
    writeFileSync(file, stubOf("two"));
    await boughtIs(fake, "two");
    for (const item of ["three", "four"]) {
      writeFileSync(`${file}~`, stubOf(item));
      renameSync(`${file}~`, file);
      await boughtIs(fake, item);
    }
    writeFileSync(file, stubOf("five").replace("Buy", "Bui"));
    await saidBy(
      fake,
      /^roundtrip: files not applied, still serving the earlier ones: stubs\.yaml:1:\d+: .*did you mean "Buy"\?$/m,
    );
    await boughtIs(fake, "four");
    writeFileSync(file, stubOf("six"));
    await boughtIs(fake, "six");
    expect(fake.program.output().stdout).toContain("Applied: 1 stub.\n");
  });

  it("follows its contract without refusing a connection, and keeps to the last one that compiles", async () => {
    const cwd = shopFolder();
    const file = join(cwd, "shop", "shop.proto");
    await using fake = await started(["--contract", "shop"], cwd);
    const over = new AbortController();
    const codes = new Set<number>();
    const caller = (async () => {
      while (!over.signal.aborted) codes.add((await post(`${fake.urls["rest-express"]}/shop.v1.Shop/Buy`, {})).status);
    })();
    const sold = async (): Promise<number> => (await post(`${fake.urls["rest-express"]}/shop.v1.Shop/Sell`, {})).status;
    expect(await sold()).toBe(404);
    writeFileSync(file, shopOf("Buy", "Sell"));
    await until(() => (fake.program.output().stdout.includes("Applied: 2 operations") ? true : undefined));
    expect(await sold()).toBe(200);
    writeFileSync(file, shopOf("Buy", "Sell").replace("string item", "strin item"));
    await saidBy(fake, /^roundtrip: files not applied, still serving the earlier ones: .*shop\.proto:3:\d+: /m);
    expect(await sold()).toBe(200);
    const before = fake.program.output().stderr.length;
    rmSync(file);
    await until(() => (fake.program.output().stderr.includes("files not applied", before) ? true : undefined));
    over.abort();
    await caller;
    expect([...codes]).toEqual([200]);
  });

  it("prints which fields of a list's request select nothing, once for equal requests", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "inn.proto"), innText);
    await using fake = await started(["--contract", "inn.proto"], cwd);
    for (const asked of [
      { sort: "name", view: "FULL" },
      { view: "BASIC", sort: "age" },
      { name: "Ada" },
      { sort: "name" },
    ])
      await post(`${fake.urls["connect-node"]}/inn.v1.Inn/ListGuests`, asked);
    const printed = (): readonly string[] => fake.program.output().stdout.match(/^Ignored: .*$/gm) ?? [];
    await until(() => (printed().length > 1 ? true : undefined));
    expect(printed()).toEqual([
      "Ignored: sort, view of inn.v1.Inn.ListGuests (connect)",
      "Ignored: sort of inn.v1.Inn.ListGuests (connect)",
    ]);
  });

  it("finishes calls in flight before it ends, and takes no new ones", async () => {
    const cwd = shopFolder();
    writeFileSync(join(cwd, "faults.yaml"), "latencies: [{ operation: Buy, ms: 600 }]\n");
    const fake = await started(["rest-express", "--contract", "shop", "--faults", "faults.yaml"], cwd);
    const call = bought(fake);
    const seen = `${fake.urls["page"]}live`;
    expect((await fetch(seen)).status).toBe(200);
    fake.program.signal("SIGINT");
    expect(await call).toEqual({ item: expect.any(String) as string });
    expect((await fake.program.ended).status).toBe(0);
    await expect(bought(fake)).rejects.toThrow("fetch failed");
  });

  it("does not wait for a page that watches it", async () => {
    const fake = await started(["--contract", "shop"], shopFolder());
    const live = await fetch(`${fake.urls["page"]}live`);
    fake.program.signal("SIGTERM");
    // It is ended, not cut off after the time that calls in flight have.
    expect(await live.text()).toMatch(/^: hello/);
    expect((await fake.program.ended).status).toBe(0);
  });

  it("records calls although the target never answers others", async () => {
    const target = createHttpServer((request, response) => {
      if (request.url?.includes("Slow") === true) return;
      response.setHeader("content-type", "application/json").end('{ "message": "Hello" }');
    });
    const to = `rest-express=${await listening(target)}`;
    await using recording = await started(["rest-express", "--record", to, "--out", "kept.yaml"], emptyFolder());
    const silent = get(recording, "/v1/hello?name=Slow").catch(() => undefined);
    expect(await get(recording, "/v1/hello?name=Ada")).toEqual({ message: "Hello" });
    target.closeAllConnections();
    target.close();
    await silent;
  });

  it("ends before the time-out of the page's call, although the target never answers it", async () => {
    const target = createHttpServer();
    const to = `rest-express=${await listening(target)}`;
    const recording = await started(["rest-express", "--record", to, "--out", "kept.yaml"], emptyFolder());
    const operation = "roundtrip.v1.HelloService.SayHello";
    const call = { stack: "rest-express", operation, request: { name: "Ada" } };
    const sent = post(`${recording.urls["page"]}send`, call).then(
      (answer) => answer.text(),
      () => "cut",
    );
    await once(target, "request");
    recording.program.signal("SIGTERM");
    expect((await recording.program.ended).status).toBe(0);
    expect(await sent).not.toContain("DEADLINE_EXCEEDED");
    target.closeAllConnections();
    target.close();
  });

  it("has what it recorded in a whole file, however it is ended", async () => {
    const cwd = emptyFolder();
    const kept = join(cwd, "kept.yaml");
    await using target = await started(["rest-express"], cwd);
    const to = `rest-express=${target.urls["rest-express"]}`;
    const recording = await started(["rest-express", "--record", to, "--out", "kept.yaml"], cwd);
    const heard: unknown[] = [];
    for (const name of ["Ada", "Grace"]) {
      heard.push(await get(recording, `/v1/hello?name=${name}`));
      await until(() => (existsSync(kept) && readFileSync(kept, "utf8").includes(name) ? true : undefined));
    }
    recording.program.signal("SIGKILL");
    await recording.program.ended;
    await using replaying = await started(["rest-express", "--replay", "kept.yaml"], cwd);
    expect(await get(replaying, "/v1/hello?name=Ada")).toEqual(heard[0]);
    expect(await get(replaying, "/v1/hello?name=Grace")).toEqual(heard[1]);
    expect(await get(replaying, "/v1/hello?name=Bob")).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(readFileSync(kept, "utf8")).not.toContain("secret");
  });
});

describe("a fake that cannot start says why in one line", () => {
  it("for a recording that exists, because people change it", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "kept.yaml"), "# edited\n");
    const args = ["fake", "--record", "grpc-js=http://127.0.0.1:1", "--out", "kept.yaml"];
    expect(refusal(await run(args, { cwd }))).toBe("kept.yaml exists already: remove it, or give another --out");
    expect(readFileSync(join(cwd, "kept.yaml"), "utf8")).toBe("# edited\n");
  });

  it("for a port that is taken", async () => {
    const other = createServer();
    const { port } = new URL(await listening(other));
    expect(refusal(await run(["fake", "rest-express", "--port", port]), 69)).toBe(
      `cannot listen on 127.0.0.1:${port}: the port is taken; choose another, or 0 for any free one`,
    );
    other.close();
  });

  it.each([
    [["--allow-origin", "app.example"], /--allow-origin app\.example: give an origin such as/],
    [["--allow-origin", "none,loopback"], /--allow-origin none leaves no other origin/],
    [["--stubs", "nowhere.yaml"], /nowhere\.yaml/],
    [["--port", "65533", "--own-ports"], /--port 65533: 7 servers need one port each, and the last port is 65535/],
    [
      ["--record", "grpc-js=http://127.0.0.1:1"],
      /--record says what is recorded, and --out where it is kept: give both/,
    ],
    [["--record", "grpc-js=http://127.0.0.1:1", "--replay", "x"], /--record and --replay: give one of them/],
    [["--forward", "grpc=http://127.0.0.1:1", "--replay", "x"], /--forward, --record and --replay: give one of them/],
    [["--forward", "grpc=http://127.0.0.1:1,token-env=HOME"], /--forward takes no token-env/],
    [["--forward", "grcp=http://127.0.0.1:1"], /unknown style or stack "grcp"; did you mean "grpc"\?/],
    [["--forward", "127.0.0.1:1"], /must be STYLE=URL or STACK=URL/],
    [["--faults", "flakey"], /flakey/],
    [["--set", "rest-express.maxConnectionIdleMs=9"], /maxConnectionIdleMs is a setting of connections.*--own-ports/],
    [["--stub", "x"], /unknown flag "--stub"; did you mean "--stubs"\?/],
  ])("for %j", async (args, message) => {
    expect(refusal(await run(["fake", ...args]))).toMatch(message);
  });
});
