// Calls every operation of a running fake with its example request over each style, and compares the answers.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Contract, Operation } from "../../packages/contract/src/index.ts";
import { loadStack } from "../../packages/stacks/src/index.ts";
import type { CallExample, Called } from "./called.ts";
import { graphqlCaller } from "./call-graphql.ts";
import { grpcCaller } from "./call-grpc.ts";
import { restCaller } from "./call-rest.ts";
import { differences, isDeclared, memberNames, namesOn } from "./compared.ts";

export const calledStacks = ["rest-express", "graphql-apollo", "grpc-js"] as const;

type CalledStack = (typeof calledStacks)[number];

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
  readonly openapi: string;
  readonly sdl: string;
}

const atOnce = 4;

const noCalls: Readonly<Record<CalledStack, number>> = { "rest-express": 0, "graphql-apollo": 0, "grpc-js": 0 };

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

async function calledOver(
  operation: Operation,
  callers: ReadonlyMap<CalledStack, CallExample>,
): Promise<ReadonlyMap<CalledStack, Called>> {
  const all = await Promise.all(
    [...callers].map(async ([stack, call]) => {
      try {
        return [stack, await call(operation, `${operation.id} ${stack}`)] as const;
      } catch (thrown) {
        const { name, message } = thrown as Error;
        return [stack, { refusal: `${name}: ${message}`, answers: [], faults: [] }] as const;
      }
    }),
  );
  return new Map(all.flatMap(([stack, called]) => (called === undefined ? [] : [[stack, called] as const])));
}

/** Rejects if a page of the fake cannot be read. */
export async function callFake(
  contract: Contract,
  operations: readonly Operation[],
  { urls, openapi, sdl }: FakeToCall,
): Promise<CalledFake> {
  const listed = (await (await fetch(`${urls["page"]}operations`)).json()) as readonly {
    readonly id: string;
    readonly request: JsonValue;
  }[];
  const examples = new Map(listed.map(({ id, request }) => [id, request]));
  using grpc = grpcCaller(contract, urls["grpc-js"] ?? "", (id) => examples.get(id) ?? {});
  const callers = new Map<CalledStack, CallExample>([
    ["rest-express", await restCaller(contract, { url: urls["rest-express"] ?? "", openapi })],
    ["graphql-apollo", await graphqlCaller(contract, { url: urls["graphql-apollo"] ?? "", sdl })],
    ["grpc-js", grpc.call],
  ]);
  const stacks = new Map(await Promise.all(calledStacks.map(async (name) => [name, await loadStack(name)] as const)));
  const [called, answered] = [{ ...noCalls }, { ...noCalls }];
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
