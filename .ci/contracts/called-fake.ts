// Calls every operation of a running fake with its example request over each style, and compares the answers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonValue } from "@bufbuild/protobuf";
import type { Contract, Operation } from "../../packages/contract/src/index.ts";
import { loadStack } from "../../packages/stacks/src/index.ts";
import type { CallExample, Called, RequestOf } from "./called.ts";
import { connectCaller } from "./call-connect.ts";
import { graphqlCaller } from "./call-graphql.ts";
import { grpcCaller } from "./call-grpc.ts";
import { jsonRpcCaller } from "./call-json-rpc.ts";
import { restCaller } from "./call-rest.ts";
import { soapCaller } from "./call-soap.ts";
import { differences, isDeclared, memberNames, namesOn } from "./compared.ts";

/** The stacks that are called, with the titles of their styles. */
export const calledStyles = {
  "rest-express": "REST",
  "graphql-apollo": "GraphQL",
  "grpc-js": "gRPC",
  "connect-node": "Connect",
  "json-rpc-2": "JSON-RPC",
  "soap-node-http": "SOAP",
} as const;

export type CalledStack = keyof typeof calledStyles;

export const calledStacks = Object.keys(calledStyles) as readonly CalledStack[];

/** A finding's id is the same in every run. */
export interface ContractFinding {
  readonly id: string;
  readonly text: string;
}

export interface CalledFake {
  readonly called: Readonly<Record<CalledStack, number>>;
  readonly answered: Readonly<Record<CalledStack, number>>;
  readonly findings: readonly ContractFinding[];
}

export interface FakeToCall {
  /** Addresses by stack, and `page`. */
  readonly urls: Readonly<Record<string, string>>;
  /** The folder with the documents of the styles. */
  readonly documents: string;
}

const atOnce = 4;

function noCalls(): Record<CalledStack, number> {
  return Object.fromEntries(calledStacks.map((stack) => [stack, 0])) as Record<CalledStack, number>;
}

function codeOf(refusal: string): string {
  return refusal.split(":")[0] ?? "";
}

function pairFindings(
  { id, example }: { readonly id: string; readonly example: JsonValue },
  called: ReadonlyMap<CalledStack, Called>,
  lostOf: (stack: CalledStack) => readonly string[],
): readonly ContractFinding[] {
  const reference = called.get("grpc-js");
  if (reference === undefined) return [];
  return [...called].flatMap(([stack, { refusal, answers }]): readonly ContractFinding[] => {
    if (stack === "grpc-js") return [];
    if ((refusal === undefined) !== (reference.refusal === undefined)) {
      const text = `${refusal ?? "answered"}; gRPC: ${reference.refusal ?? "answered"}`;
      return [{ id: `differs ${id} ${stack} ${codeOf(refusal ?? "OK")}`, text }];
    }
    if (refusal !== undefined || answers === undefined) return [];
    const lost = lostOf(stack);
    // Another request has another answer. Examples have names of enum values, not numbers.
    const lostOfRequest = lost.filter((one) => !one.includes("numbers that"));
    if (isDeclared(memberNames(example), lostOfRequest)) return [];
    const paths = differences(answers, reference.answers).filter((path) => !isDeclared(namesOn(path), lost));
    if (paths.length === 0) return [];
    return [{ id: `differs ${id} ${stack}`, text: `the answers at ${paths.slice(0, 3).join(", ")}` }];
  });
}

/** Calls that only read can share what the fake makes up for a session; another call must not find what an earlier one changed. */
function sessionOf({ id, sideEffects, output }: Operation, stack: CalledStack): string {
  const reads = sideEffects === "none" && output.typeName !== "google.longrunning.Operation";
  return reads ? "reads" : `${id} ${stack}`;
}

async function calledOver(
  operation: Operation,
  callers: ReadonlyMap<CalledStack, CallExample>,
): Promise<ReadonlyMap<CalledStack, Called>> {
  const all = await Promise.all(
    [...callers].map(async ([stack, call]) => {
      try {
        return [stack, await call(operation, sessionOf(operation, stack))] as const;
      } catch (thrown) {
        const { name, message } = thrown as Error;
        return [stack, { refusal: `${name}: ${message}`, answers: [], faults: [] }] as const;
      }
    }),
  );
  return new Map(all.flatMap(([stack, called]) => (called === undefined ? [] : [[stack, called] as const])));
}

/** Rejects if a page of the fake cannot be read. @param opened closes what they open */
async function callersOf(
  contract: Contract,
  { urls, documents }: FakeToCall,
  requestOf: RequestOf,
  opened: DisposableStack,
): Promise<ReadonlyMap<CalledStack, CallExample>> {
  const urlOf = (stack: CalledStack): string => urls[stack] ?? "";
  const path = (name: string): string => join(documents, name);
  const read = (name: string): string => readFileSync(path(name), "utf8");
  const [rest, graphql, jsonRpc, soap] = await Promise.all([
    restCaller(contract, { url: urlOf("rest-express"), openapi: read("openapi.yaml") }),
    graphqlCaller(contract, { url: urlOf("graphql-apollo"), sdl: read("schema.graphql") }),
    jsonRpcCaller(contract, { url: urlOf("json-rpc-2"), openrpc: read("openrpc.json") }),
    soapCaller(contract, { url: urlOf("soap-node-http"), wsdlPath: path("service.wsdl") }),
  ]);
  return new Map<CalledStack, CallExample>([
    ["rest-express", rest],
    ["graphql-apollo", graphql],
    ["grpc-js", opened.use(grpcCaller(contract, urlOf("grpc-js"), requestOf)).call],
    ["connect-node", connectCaller(contract, urlOf("connect-node"), requestOf)],
    ["json-rpc-2", jsonRpc],
    ["soap-node-http", opened.use(soap).call],
  ]);
}

/** Rejects if a page of the fake cannot be read. */
export async function callFake(
  contract: Contract,
  operations: readonly Operation[],
  fake: FakeToCall,
): Promise<CalledFake> {
  const { urls } = fake;
  const listed = (await (await fetch(`${urls["page"]}operations`)).json()) as readonly {
    readonly id: string;
    readonly request: JsonValue;
  }[];
  const examples = new Map(listed.map(({ id, request }) => [id, request]));
  using opened = new DisposableStack();
  const callers = await callersOf(contract, fake, (id) => examples.get(id) ?? {}, opened);
  const stacks = new Map(await Promise.all(calledStacks.map(async (name) => [name, await loadStack(name)] as const)));
  const [called, answered] = [noCalls(), noCalls()];
  const findings: ContractFinding[] = [];
  const waiting = [...operations];
  const work = async (): Promise<void> => {
    for (let operation = waiting.shift(); operation !== undefined; operation = waiting.shift()) {
      const current = operation;
      // oxlint-disable-next-line no-await-in-loop -- a few operations at once
      const results = await calledOver(current, callers);
      for (const [stack, { refusal, faults }] of results) {
        called[stack] += 1;
        if (refusal === undefined) answered[stack] += 1;
        else findings.push({ id: `refused ${current.id} ${stack} ${codeOf(refusal)}`, text: refusal });
        for (const fault of faults) findings.push({ id: `document ${current.id} ${stack}`, text: fault });
      }
      findings.push(
        ...pairFindings(
          { id: current.id, example: examples.get(current.id) ?? {} },
          results,
          (stack) => stacks.get(stack)?.view(current, contract).lost ?? [],
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { called, answered, findings };
}
