// A task for one operation of a contract: the call as it is and, if it has a read mask, the same field by field. First it is called a few times, and
// over every stack or target: what repeats and is equal is measured.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { CallError, type Client, type Contract, type Operation } from "@roundtrip/contract";
import { type Plan, type Step, type Task, taskDefaults } from "@roundtrip/runner";
import { isDeepStrictEqual } from "node:util";
import { repeated, requestJson, type ExampleCall } from "./example-calls.ts";
import { failureText, rehearse, rehearseJson } from "./rehearsed-calls.ts";
import { tasksPerBlock, usualCalls } from "./task-file.ts";

/** As many as in the 2010 study. */
const mostFields = 6;
const times = 3;

/** A call that can be repeated, and the part of its answers that stays the same. */
export interface Measurable {
  readonly call: ExampleCall;
  readonly request: JsonValue;
  readonly answer: JsonObject;
  /** The members of its answers that are the same each time. */
  readonly same: readonly string[];
  readonly differing: readonly string[];
}

/** Why repeated calls would not measure the same thing; undefined if they would. @param isAskedFor whether the user requested the operation. */
export function reasonNotRepeatable(
  { sideEffects }: Operation,
  { same, differing }: Measurable,
  isAskedFor: boolean,
): string | undefined {
  if (differing.length === 0) return undefined;
  if (same.length === 0)
    return "no part of the answers is the same twice, so that stacks cannot be held against each other";
  if (sideEffects !== "unknown" || isAskedFor) return undefined;
  return "each call makes something new, or answers something else (--operations measures it nevertheless)";
}

/** Calls a few times. Rejects with the CallError of the first call that fails. */
export async function measurable(contract: Contract, call: ExampleCall, client: Client): Promise<Measurable> {
  const answers = await repeated(client, call, times);
  const [first, ...others] = answers.map(({ measured }) => measured);
  const answer = first ?? {};
  const keys = [...new Set(answers.flatMap(({ measured }) => Object.keys(measured)))];
  const isSame = (key: string): boolean => others.every((other) => isDeepStrictEqual(other[key], answer[key]));
  const same = keys.filter(isSame);
  return { call, request: requestJson(contract, call), answer, same, differing: keys.filter((key) => !isSame(key)) };
}

export interface TitledClient {
  /** For readers, such as `REST`. */
  readonly title: string;
  readonly client: Client;
}

/** Why a call cannot be measured. */
export interface NotSupported {
  readonly why: string;
  /** Whether a style cannot carry this request; it may carry others. */
  readonly isNotCarried: boolean;
}

/** Why a call cannot be measured over one of the stacks or targets; undefined if all answer alike. */
export async function reasonNotSupported(
  clients: readonly TitledClient[],
  { call, answer, same }: Pick<Measurable, "call" | "answer" | "same">,
): Promise<NotSupported | undefined> {
  for (const { title, client } of clients) {
    try {
      const { measured } = await rehearse(client, call.operation, call.request);
      const key = same.find((one) => !isDeepStrictEqual(measured[one], answer[one]));
      if (key !== undefined) return { why: `answered otherwise over ${title}: of "${key}"`, isNotCarried: false };
    } catch (thrown) {
      const isNotCarried = CallError.from(thrown).code === "UNIMPLEMENTED";
      return { why: `over ${title} ${failureText(thrown)}`, isNotCarried };
    }
  }
  return undefined;
}

/** The populated fields of an answer, at least two, and the steps that read them. */
async function fieldReads(
  { call, request, answer }: Measurable,
  client: Client,
): Promise<{ readonly fields: readonly string[]; readonly steps: readonly Step[] } | undefined> {
  const { operation } = call;
  const { readMask } = operation;
  if (readMask === undefined) return undefined;
  const set = operation.output.fields.filter(({ jsonName }) => Object.hasOwn(answer, jsonName)).slice(0, mostFields);
  if (set.length < 2) return undefined;
  const steps: Step[] = [];
  for (const { jsonName } of set) {
    const masked = { ...(request as JsonObject), [readMask.jsonName]: jsonName };
    const { measured } = await rehearseJson(client, operation, masked);
    // A server that ignores masks would return everything each time.
    if (Object.keys(measured).some((key) => key !== jsonName)) return undefined;
    if (!isDeepStrictEqual(measured[jsonName], answer[jsonName])) return undefined;
    steps.push({ operation: operation.id, request: masked });
  }
  return { fields: set.map(({ jsonName }) => jsonName), steps };
}

function single(steps: readonly Step[], order: Plan["order"] = "sequential"): Plan {
  return { order, driver: "own", steps };
}

export interface DerivedTaskOptions {
  /** Whether a server that starts anew gives the same answers. */
  readonly isRepeatable: boolean;
  /** Whether a call with a read mask is measured field by field too. */
  readonly byField: boolean;
}

/** The task. @param client of a freshly started server. */
export async function derivedTask(
  one: Measurable,
  name: string,
  client: Client,
  { isRepeatable, byField }: DerivedTaskOptions,
): Promise<Task> {
  const { call, request, answer, same, differing } = one;
  const reads = byField ? await fieldReads(one, client).catch(() => undefined) : undefined;
  const { readMask, id } = call.operation;
  // If the answer has more fields than are read one by one, both variants read only that part.
  const isPart = reads !== undefined && Object.keys(answer).length > reads.fields.length;
  const whole =
    isPart && readMask !== undefined
      ? { ...(request as JsonObject), [readMask.jsonName]: reads.fields.join(",") }
      : request;
  const coarse = single([{ operation: id, request: whole }]);
  const compared = isPart ? reads.fields : differing.length === 0 ? [] : same;
  const expected = Object.fromEntries((compared.length > 0 ? compared : same).map((key) => [key, answer[key] ?? null]));
  return {
    ...taskDefaults,
    name,
    variants:
      reads === undefined
        ? { single: coarse }
        : {
            facade: coarse,
            chatty: single(reads.steps),
            "chatty-parallel": single(reads.steps, "parallel"),
            together: single(reads.steps, "together"),
          },
    answerKeys: compared,
    expected: isRepeatable ? expected : {},
    tasksPerRound: usualCalls,
    tasksPerBlock,
  };
}
