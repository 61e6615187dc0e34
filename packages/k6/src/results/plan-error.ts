// Validates a plan before results are read: its hash shows that it is unchanged, but not that it is valid.
import { isObject } from "@roundtrip/contract";
import type { K6Plan } from "../plan/k6-plan.ts";

type Members = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isTime: Check = (value) => Number.isFinite(value);
const isWhole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const noneOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const absentOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const membersOf =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

const arm = membersOf({
  facts: membersOf({
    ...Object.fromEntries(["id", "study", "task", "stack", "title", "role", "variant"].map((name) => [name, isText])),
    // Plans of earlier versions do not have them.
    ...Object.fromEntries(["style", "server", "client", "stackTitle"].map((name) => [name, absentOr(isText)])),
    factors: isObject,
    callsPerTask: isWhole,
  }),
  steps: listOf(membersOf({ requests: listOf(isWhole) })),
  sets: listOf(listOf(isWhole)),
});

const cell = membersOf({
  name: isText,
  armId: isText,
  block: isWhole,
  tasks: isWhole,
  beginsMs: isTime,
  mostMs: isTime,
  arrivalsMs: noneOr(listOf(isTime)),
  pausesMs: noneOr(listOf(isTime)),
});

const members = {
  studies: listOf(isText),
  seed: isWhole,
  round: isWhole,
  contractHash: isText,
  arms: listOf(arm),
  cells: listOf(cell),
  requests: listOf(isObject),
} satisfies Partial<Record<keyof K6Plan, Check>>;

/** The first invalid member of a plan; undefined if all are valid. */
export function planError(plan: K6Plan): string | undefined {
  return Object.entries(members).find(([name, check]) => !check((plan as unknown as Members)[name]))?.[0];
}
