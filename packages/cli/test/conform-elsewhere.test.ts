// `conform --contract --target`: whoever serves a contract can be put to the test, without a call that may write unless its data is disposable.
import { join } from "node:path";
import { startFake, type StartedFake } from "@roundtrip/fakes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadContractFrom } from "../src/contract/contract-source.ts";
import { folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal } from "./support/outcomes.ts";

interface Shop {
  /** A rule of the name of what is read. */
  readonly rule: string;
  readonly methods: readonly string[];
}

const reading = "option idempotency_level = NO_SIDE_EFFECTS;";
const read = `rpc Read(ReadRequest) returns (Thing) { option (google.api.http) = { get: "/v1/{name}" }; }`;
const ask = `rpc Ask(ReadRequest) returns (Thing) { ${reading} }`;
const watch = `rpc Watch(ReadRequest) returns (stream Thing) { ${reading} }`;
const write = "rpc Write(Thing) returns (Thing);";

function folderOf({ rule, methods }: Shop): string {
  const text = `syntax = "proto3";
package shop.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
service Shop { ${methods.join("\n")} }
message ReadRequest { string name = 1 ${rule}; }
message Thing { string name = 1; }
`;
  return folderWith({ "shop/shop.proto": text });
}

const strict = "[(buf.validate.field).string.max_len = 3]";
const all = [read, ask, watch, write];
const styles = ["graphql-apollo", "grpc-js", "rest-express"] as const;

interface Result {
  readonly caseId: string;
  readonly status: string;
  readonly detail: string;
}

describe("a server of a user's contract", () => {
  /** The compiled contract, which every command here reads. */
  let image = "";
  const opened: AsyncDisposable[] = [];
  const fakeOf = async (shop: Shop): Promise<StartedFake> => {
    const loaded = await loadContractFrom([join(folderOf(shop), "shop")]);
    const fake = await startFake(loaded.contract);
    opened.push(fake, loaded);
    if (loaded.source.kind === "image" && image === "") image = loaded.source.path;
    return fake;
  };
  let whole: StartedFake;
  let lax: StartedFake;
  let partial: StartedFake;

  beforeAll(async () => {
    whole = await fakeOf({ rule: strict, methods: all });
    lax = await fakeOf({ rule: "", methods: all });
    partial = await fakeOf({ rule: strict, methods: [ask, read] });
  });
  afterAll(async () => {
    for (const resource of opened) await resource[Symbol.asyncDispose]();
  });

  /** How it went, and the exit status. */
  async function conformed(
    fake: StartedFake,
    stack: string,
    ...flags: readonly string[]
  ): Promise<{ status: unknown; results: readonly Result[] }> {
    const target = `${stack}=${fake.urls[stack] ?? ""}`;
    const { status, stdout } = await run(["conform", "--contract", image, "--target", target, "--json", ...flags]);
    const [subject] = JSON.parse(stdout) as readonly { readonly results: readonly Result[] }[];
    return { status, results: subject?.results ?? [] };
  }

  it.each(styles)("passes where it keeps the contract, and is asked for nothing that may write (%s)", async (stack) => {
    const { status, results } = await conformed(whole, stack);
    expect(status).toBe(0);
    expect(
      results.filter(({ status: outcome }) => outcome !== "pass").map(({ caseId, detail }) => `${caseId} ${detail}`),
    ).toEqual(["AN-0004 may write (--disposable calls it)"]);
    expect(results.map(({ caseId }) => caseId)).toEqual([
      "AN-0001",
      "RU-0001",
      "AN-0002",
      "RU-0002",
      "AN-0003",
      "RU-0003",
      "AN-0004",
      "MI-0001",
      "MI-0002",
    ]);
  });

  it.each(styles)("is asked to write too where its data may be overwritten (%s)", async (stack) => {
    const [written, lacking] = await Promise.all([
      conformed(whole, stack, "--disposable"),
      conformed(partial, stack, "--disposable"),
    ]);
    expect(written.results.filter(({ status }) => status !== "pass")).toEqual([]);
    expect(lacking.results.find(({ caseId }) => caseId === "AN-0004")?.status).toBe("fail");
  });

  it.each(styles)("fails where it lets a request pass that breaks a rule (%s)", async (stack) => {
    const { status, results } = await conformed(lax, stack);
    expect(status).toBe(1);
    const failed = results.filter(({ status: outcome }) => outcome === "fail").map(({ caseId }) => caseId);
    expect(failed).toEqual(["RU-0001", "RU-0002", "RU-0003"]);
  });
});

it("explains how to mark operations that only read, where a contract marks no operation", async () => {
  const cwd = folderOf({ rule: "", methods: [write] });
  const target = ["--target", "rest-express=http://127.0.0.1:9"];
  expect(refusal(await run(["conform", "--contract", "shop", ...target], { cwd }))).toMatch(
    /^the contract says of no operation that it only reads: .*NO_SIDE_EFFECTS, or --disposable /,
  );
});

it("refuses a contract that no stack can serve before any case", async () => {
  const ring = Array.from({ length: 1_100 }, (_, at) => `message M${at} { M${(at + 1) % 1_100} next = 1; }`);
  const service = "service Rings { rpc Turn(M0) returns (M0) {} }";
  const cwd = folderWith({ "ring.proto": ['syntax = "proto3"; package rings.v1;', service, ...ring].join("\n") });
  const ended = await run(["conform", "json-rpc", "--contract", "ring.proto"], { cwd });
  expect(refusal(ended)).toMatch(/^the contract cannot be served: .* serve a part of the contract$/);
});

it("tests only the operations that are named, with the ids that their cases have among all", async () => {
  const cwd = folderOf({ rule: strict, methods: all });
  const { status, stdout } = await run(["conform", "--contract", "shop", "--operations", "Write,Ask", "--json"], {
    cwd,
  });
  const stacks = JSON.parse(stdout) as readonly { readonly results: readonly Result[] }[];
  expect(status).toBe(0);
  for (const { results } of stacks) expect(results.map(({ caseId }) => caseId)).toEqual(["OP-0004", "OP-0002"]);
});
