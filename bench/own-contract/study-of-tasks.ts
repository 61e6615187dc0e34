// A study of tasks from a file. A rehearsal fixes their steps, and reports variants with different answers before the measurement.
import type { JsonObject } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { FakeError } from "@roundtrip/fakes";
import { jsonText } from "@roundtrip/fakes/parts";
import { type Plan, type Step, type Study, type Task, taskDefaults } from "@roundtrip/runner";
import { isDeepStrictEqual } from "node:util";
import { rehearseSteps, type RehearsedSteps } from "./rehearse-steps.ts";
import type { TitledClient } from "./derived-task.ts";
import { mixTask } from "./mix-task.ts";
import {
  withPositionAsync,
  tasksPerBlock,
  usualCalls,
  type TaskFile,
  type TaskForm,
  type VariantForm,
} from "./task-file.ts";

/** Throws if two variants differ in a compared part of their answers. */
function requireAlike(first: Answered, other: Answered, { compare, path }: TaskForm): void {
  const keys = compare.length > 0 ? compare : [...new Set([first, other].flatMap(({ answer }) => Object.keys(answer)))];
  const key = keys.find((one) => !isDeepStrictEqual(first.answer[one], other.answer[one]));
  if (key === undefined) return;
  const text = ({ name, answer }: Answered): string =>
    answer[key] === undefined ? `${name} has none` : `${name} has ${jsonText(answer[key])}`;
  const what =
    `${first.name} and ${other.name} do not answer alike: of "${key}" ${text(first)}, ${text(other)}; ` +
    'variants of one task answer alike ("compare" names the members that count, "into" puts answers in their places)';
  throw new FakeError("call-failed", what, { path: [...path, "variants", other.name] });
}

interface Answered {
  readonly name: string;
  readonly answer: JsonObject;
}

function planOf({ order, name, path }: VariantForm, steps: readonly Step[]): Plan {
  if (name === "facade" && steps.length > 1) {
    const what = `"facade" is one call in every report, and here are ${steps.length}; give this variant another name`;
    throw new FakeError("wrong-type", what, { path });
  }
  const stream = steps.find(({ needs }) => needs !== undefined);
  if (order === "together" && stream !== undefined) {
    throw new FakeError("wrong-type", `${stream.operation} streams, and is a call of its own`, { path });
  }
  return { order, driver: "own", steps };
}

async function taskOf(client: Client, form: TaskForm, setup: RehearsedSteps): Promise<Task> {
  if (form.mix.length > 0) return mixTask(client, form, setup);
  const variants: Record<string, Plan> = {};
  const answered: Answered[] = [];
  for (const variant of form.variants) {
    const { steps, answer } = await rehearseSteps(client, variant.steps, setup.scope);
    variants[variant.name] = planOf(variant, steps);
    answered.push({ name: variant.name, answer });
  }
  const [first, ...others] = answered;
  for (const key of first === undefined ? [] : form.compare) {
    if (answered.some(({ answer }) => Object.hasOwn(answer, key))) continue;
    const what = `no answer has "${key}"; ${first?.name ?? ""} has ${Object.keys(first?.answer ?? {}).join(", ") || "nothing"}`;
    throw new FakeError("unknown-field", what, { path: [...form.path, "compare", form.compare.indexOf(key)] });
  }
  for (const other of others) if (first !== undefined) requireAlike(first, other, form);
  const calls = form.calls ?? usualCalls;
  return {
    ...taskDefaults,
    name: form.name,
    variants,
    answerKeys: form.compare,
    setup: setup.steps,
    tasksPerRound: calls,
    tasksPerBlock: Math.min(tasksPerBlock, calls),
  };
}

async function rehearsed({ tasks: forms }: TaskFile, client: Client): Promise<readonly Task[]> {
  const prepared: { readonly form: TaskForm; readonly setup: RehearsedSteps }[] = [];
  for (const form of forms) prepared.push({ form, setup: await rehearseSteps(client, form.setup, new Map()) });
  const tasks: Task[] = [];
  for (const { form, setup } of prepared) tasks.push(await taskOf(client, form, setup));
  return tasks;
}

/** The same over one stack or target, which errors name. */
async function rehearseOver(file: TaskFile, { client, title }: TitledClient): Promise<void> {
  try {
    await rehearsed(file, client);
  } catch (thrown) {
    if (!(thrown instanceof FakeError)) throw thrown;
    throw new FakeError(thrown.code, `over ${title}: ${thrown.what}`, { path: thrown.path, cause: thrown });
  }
}

/**
 * Makes the study of these tasks by calling a server as a round does: first the setups, then each variant once. Then repeats this over all stacks and
 * targets, unless a task streams, which not all support. Rejects with a FakeError with the file, line and column of what is invalid.
 */
export async function studyOfTasks(file: TaskFile, client: Client, clients: readonly TitledClient[]): Promise<Study> {
  const { document, name, title, question, rounds } = file;
  const tasks = await withPositionAsync(document, () => rehearsed(file, client));
  const plans = tasks.flatMap(({ variants, setup }) => [setup, ...Object.values(variants).map(({ steps }) => steps)]);
  const streams = plans.flat().some(({ needs }) => needs !== undefined);
  for (const one of streams ? [] : clients) await withPositionAsync(document, () => rehearseOver(file, one));
  return { name, title, question, rounds, tasks };
}
