// What a server of examples/targets must answer: as this project's service, over every style that it serves.
import { create, toJson, type Message } from "@bufbuild/protobuf";
import { builtInContract, CallError, ServerCall, type CallOptions, type Client } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "shell-quote";
import { expect } from "vitest";
import { emptyFolder } from "./run-program.ts";
import { run } from "./shared-program.ts";
import type { Target } from "./target.ts";

const contract = builtInContract();

type Request = Readonly<Record<string, unknown>>;

/** Calls whose answers do not depend on the time. Later ones see the changes of earlier ones. */
export const targetCalls: readonly (readonly [method: string, request: Request])[] = [
  ["HelloService.SayHello", { name: "日本 𝔘 é" }],
  ["HelloService.SayHello", { name: "" }],
  ["CustomerService.GetCustomer", { id: 1 }],
  ["CustomerService.GetCustomer", { id: 120, readMask: { paths: ["mail", "phone_number"] } }],
  ["CustomerService.GetCustomer", { id: 1, readMask: { paths: ["shoe_size", "name"] } }],
  ["CustomerService.GetCustomer", { id: 121 }],
  ["CustomerService.GetCustomer", { id: -1 }],
  ["CustomerService.ListCustomers", { pageSize: 7, pageToken: "YWZ0ZXI6MTE2" }],
  ["CustomerService.ListCustomers", { pageSize: 1_001 }],
  ["CustomerService.ListCustomers", { pageToken: "YWZ0ZXI6MTE2=" }],
  ["CustomerService.CreateCustomer", { customer: { id: 0, phoneNumber: "call me", vatIdentificationNumber: "x" } }],
  ["CustomerService.CreateCustomer", {}],
  ["CustomerService.CreateCustomer", { customer: { id: 5_000, name: "Ada <&> Lovelace" } }],
  ["CustomerService.CreateCustomer", { customer: { id: 5_000 } }],
  ["CustomerService.UpdateCustomer", { customer: { id: 5_000, mail: "ada@example.com" } }],
  ["CustomerService.UpdateCustomer", { customer: { id: 5_000 }, updateMask: { paths: ["name"] } }],
  ["CustomerService.SetCustomerAddress", { id: 5_000, address: "12 St James's Square" }],
  ["CustomerService.SetCustomerName", { id: 5_000 }],
  ["CustomerService.SetCustomerId", { id: 5_000, newId: 1 }],
  ["CustomerService.SetCustomerId", { id: 5_000, newId: 5_001 }],
  ["CustomerService.DeleteCustomer", { id: 5_001 }],
  ["CustomerService.DeleteCustomer", { id: 5_001 }],
];

interface Ended {
  readonly answer?: unknown;
  readonly error?: unknown;
}

/** Calls a method of the contract's package, such as "HelloService.SayHello". */
export type TargetCall = (method: string, request: Request, options?: CallOptions) => Promise<Message>;

async function outcomes(call: TargetCall, calls: typeof targetCalls): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  for (const [method, request] of calls) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- calls see what earlier ones changed
      const message = await call(method, request);
      const { output } = contract.operation(`roundtrip.v1.${method}`);
      const {
        queueTime: _queue,
        serviceTime: _service,
        ...answer
      } = toJson(output, message) as Record<string, unknown>;
      ended.push({ answer });
    } catch (thrown) {
      const { code, message, details } = CallError.from(thrown);
      ended.push({ error: { code, message, details } });
    }
  }
  return ended;
}

function callOf(client: Client): TargetCall {
  return (method, request, options) => {
    const operation = contract.operation(`roundtrip.v1.${method}`);
    return client.prepare(operation)(create(operation.input, request), options);
  };
}

async function connected(stack: string, url = ""): Promise<Client> {
  return (await loadConnect(stack))(contract, { ...connectDefaults, url, ca: undefined });
}

/** What a server answers to these calls, and what a new service here does. */
export async function answersBeside(
  stack: string,
  url: string | undefined,
  calls = targetCalls,
): Promise<{ readonly answers: readonly Ended[]; readonly expected: readonly Ended[] }> {
  const service = realService(contract);
  const client = await connected(stack, url);
  try {
    const expected = await outcomes(async (method, request) => {
      const operation = contract.operation(`roundtrip.v1.${method}`);
      return service.call(operation, create(operation.input, request), new ServerCall());
    }, calls);
    return { answers: await outcomes(callOf(client), calls), expected };
  } finally {
    await client.close();
    await service.close();
  }
}

/** The commands of a target's page, each a line. */
export function pageCommands(folder: string): readonly string[] {
  const page = readFileSync(join(folder, "README.md"), "utf8");
  return [...page.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = ""]) => block.trim().split("\n"));
}

/** The words of a command. Throws an Error if it needs a shell. */
export function wordsOf(command: string): readonly string[] {
  return parse(command).map((word) => {
    if (typeof word === "string") return word;
    throw new Error(`the command needs a shell: ${command}`);
  });
}

/** A command of a page with the addresses of a running target in place of those from port 8080 on, without the words that start the program. */
export function asServed(command: string, urls: Target["urls"]): readonly string[] {
  const text = Object.values(urls).reduce(
    (before, url, index) => before.replaceAll(`http://127.0.0.1:${8080 + index}`, url),
    command,
  );
  return wordsOf(text.replace("npx -y pnpm@10 -s ", ""));
}

/** Runs a short `bench` with these words. Resolves to how it ended, and whether the answers of its servers were equal. */
export async function shortBench(
  words: readonly string[],
): Promise<{ readonly status: number | null; readonly stderr: string; readonly agreed: boolean }> {
  const cwd = emptyFolder();
  const { status, stderr } = await run([...words, "--rounds", "1", "--calls", "10", "--quiet", "--out", "run"], {
    cwd,
  });
  const kept = JSON.parse(readFileSync(join(cwd, "run", "run.json"), "utf8")) as {
    readonly verification: { readonly agreed: boolean };
  };
  return { status, stderr, agreed: kept.verification.agreed };
}

/** What `conform --json` prints of a stack. */
interface Conformance {
  readonly stack: string;
  readonly results: readonly { readonly status: string }[];
}

/** Runs `conform` with these words. Expects no failed case and `atLeast` passed ones of each stack. Resolves to the stacks. */
export async function expectConformance(words: readonly string[], atLeast: number): Promise<readonly string[]> {
  const { status, stdout, stderr } = await run([...words, "--json"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const tested = JSON.parse(stdout) as readonly Conformance[];
  for (const { results } of tested) {
    expect(results.filter((result) => result.status === "fail")).toEqual([]);
    expect(results.filter((result) => result.status === "pass").length).toBeGreaterThanOrEqual(atLeast);
  }
  return tested.map(({ stack }) => stack);
}
