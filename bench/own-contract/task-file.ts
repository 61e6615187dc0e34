// Tasks that a user wrote for a contract: read from YAML or JSON, and checked against the contract before any call.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject, type Contract, type Operation } from "@roundtrip/contract";
import { FakeError, type ValuePath } from "@roundtrip/fakes";
import { expected, parseDocuments, type LocatedDocument } from "@roundtrip/fakes/parts";
import { listOf, objectOf, textOf } from "./form.ts";
import type { Order } from "@roundtrip/runner";
import { basename, extname } from "node:path";
import { mixOf, type MixForm } from "./mix-form.ts";
import { stepsOf, type StepForm } from "./step-form.ts";

/** One variant of a task. */
export interface VariantForm {
  readonly name: string;
  readonly order: Order;
  readonly steps: readonly StepForm[];
  readonly path: ValuePath;
}

export interface TaskForm {
  readonly name: string;
  /** Executions of each variant in a round; undefined for the default. */
  readonly calls: number | undefined;
  /** Brings a fresh server to the state that the task needs. All variants may refer to its answers. */
  readonly setup: readonly StepForm[];
  /** The members of answers to compare between variants; empty compares all. */
  readonly compare: readonly string[];
  /** Empty for a mix. */
  readonly variants: readonly VariantForm[];
  /** Operations of which each execution calls one; empty for a task with variants. */
  readonly mix: readonly MixForm[];
  readonly path: ValuePath;
}

export interface TaskFile {
  readonly contract: Contract;
  readonly document: LocatedDocument;
  readonly name: string;
  readonly title: string;
  readonly question: string;
  readonly rounds: number;
  readonly tasks: readonly TaskForm[];
}

const fileKeys = ["name", "title", "question", "rounds", "tasks", "$schema"] as const;
const taskKeys = ["name", "calls", "setup", "compare", "variants", "mix"] as const;

/** The default number of executions, as in the built-in studies. */
export const usualCalls = 60;
/** Executions in one block: some tens of milliseconds, unless a task is long. */
export const tasksPerBlock = 30;
const usualRounds = 6;

const most = { rounds: 1_000, calls: 1_000_000, tasks: 50, variants: 12 } as const;

/** Names with a fixed meaning in all reports. */
const knownOrders: Readonly<Record<string, Order>> = {
  facade: "sequential",
  chatty: "sequential",
  "chatty-parallel": "parallel",
  together: "together",
};

const slug = /^[A-Za-z][\w.-]{0,63}$/;

function nameOf(json: JsonValue | undefined, otherwise: string, path: ValuePath): string {
  const name = textOf(json, otherwise, path);
  if (!slug.test(name)) throw expected("a name of letters, digits, -, _ and .", json ?? name, path);
  return name;
}

function countOf<T>(json: JsonValue | undefined, otherwise: T, limit: number, path: ValuePath): number | T {
  if (json === undefined) return otherwise;
  if (typeof json === "number" && Number.isInteger(json) && json >= 1 && json <= limit) return json;
  throw expected(`a whole number, 1 to ${limit}`, json, path);
}

function orderOf(json: JsonValue | undefined, name: string, path: ValuePath): Order {
  const known = knownOrders[name];
  if (json === undefined) return known ?? "sequential";
  if (json !== "sequential" && json !== "parallel" && json !== "together") {
    throw expected("sequential, parallel or together", json, path);
  }
  if (known === undefined || known === json) return json;
  throw new FakeError("wrong-type", `"${name}" is ${known} in every report: give another variant another name`, {
    path,
  });
}

/** Throws if the calls of a variant contradict the meaning of its name. */
function requireMeaning({ name, steps, path }: VariantForm): void {
  const hasSets = (among: readonly StepForm[]): boolean =>
    among.some((step) => step.kind === "set" || (step.kind === "loop" && (step.atOnce || hasSets(step.steps))));
  if (name === "chatty" && hasSets(steps)) {
    const what = `"chatty" is one call after the other in every report: give a variant with sets another name`;
    throw new FakeError("wrong-type", what, { path });
  }
}

function variantOf(name: string, json: JsonValue, path: ValuePath, contract: Contract): VariantForm {
  nameOf(name, name, path);
  const { order: given, steps = null } = Array.isArray(json)
    ? { order: undefined, steps: json }
    : objectOf(json, ["order", "steps"], "a variant", path);
  const order = orderOf(given, name, [...path, "order"]);
  const at = Array.isArray(json) ? path : [...path, "steps"];
  const form = { name, order, steps: stepsOf(steps, at, { contract, isAtOnce: order !== "sequential" }), path };
  requireMeaning(form);
  return form;
}

function variantsOf(variants: JsonValue, at: ValuePath, contract: Contract): readonly VariantForm[] {
  if (!isObject(variants) || Object.keys(variants).length === 0) {
    throw expected("variants by name, such as facade and chatty", variants, at);
  }
  if (Object.keys(variants).length > most.variants) throw expected(`at most ${most.variants} variants`, variants, at);
  return Object.entries(variants).map(([key, one]) => variantOf(key, one, [...at, key], contract));
}

/** Throws for members that only tasks with variants have. */
function requireNoVariants({ variants, compare }: JsonObject, path: ValuePath): void {
  const [beside] = [variants && "variants", compare && "compare"].filter((one) => typeof one === "string");
  if (beside === undefined) return;
  throw new FakeError("wrong-type", `"mix" is a task of its own: remove "${beside}", or make it another task`, {
    path: [...path, beside],
  });
}

function taskOf(json: JsonValue, path: ValuePath, contract: Contract): TaskForm {
  const task = objectOf(json, taskKeys, "a task", path);
  const { name, calls, setup = [], compare = [], variants = null, mix } = task;
  if (mix !== undefined) requireNoVariants(task, path);
  return {
    name: nameOf(name, "", [...path, "name"]),
    calls: countOf(calls, undefined, most.calls, [...path, "calls"]),
    setup:
      Array.isArray(setup) && setup.length === 0
        ? []
        : stepsOf(setup, [...path, "setup"], { contract, isAtOnce: false }),
    compare: listOf(compare, [...path, "compare"]).map((one, index) => {
      if (typeof one === "string") return one;
      throw expected("the name of a member of the answers", one, [...path, "compare", index]);
    }),
    variants: mix === undefined ? variantsOf(variants, [...path, "variants"], contract) : [],
    mix: mix === undefined ? [] : mixOf(mix, [...path, "mix"], contract),
    path,
  };
}

function fileOf(document: LocatedDocument, contract: Contract): TaskFile {
  const { name, title, question, rounds, tasks = null } = objectOf(document.value, fileKeys, "a task file", []);
  const list = listOf(tasks, ["tasks"]);
  if (list.length === 0 || list.length > most.tasks) throw expected(`1 to ${most.tasks} tasks`, list.length, ["tasks"]);
  const forms = list.map((one, index) => taskOf(one, ["tasks", index], contract));
  const twice = forms.findIndex((form, index) => forms.findIndex((other) => other.name === form.name) !== index);
  if (twice >= 0) {
    const path = ["tasks", twice, "name"];
    throw new FakeError("wrong-type", `there are two tasks "${forms[twice]?.name ?? ""}"`, { path });
  }
  const stem = basename(document.file, extname(document.file)).replaceAll(/[^\w.-]/g, "-");
  const known = nameOf(name, slug.test(stem) ? stem : "tasks", ["name"]);
  return {
    contract,
    document,
    name: known,
    title: textOf(title, known, ["title"]),
    question: textOf(question, "How should these tasks be called, over which style?", ["question"]),
    rounds: countOf(rounds, usualRounds, most.rounds, ["rounds"]),
    tasks: forms,
  };
}

function errorWithPosition(thrown: unknown, document: LocatedDocument): unknown {
  if (!(thrown instanceof FakeError) || thrown.position !== undefined) return thrown;
  const { code, what, path } = thrown;
  return new FakeError(code, what, { position: document.positionOf(path), path, cause: thrown });
}

/** The result of the work. A FakeError gets the position in the document that its path leads to. */
function withPosition<T>(document: LocatedDocument, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw errorWithPosition(thrown, document);
  }
}

/** The same for asynchronous work. */
export async function withPositionAsync<T>(document: LocatedDocument, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw errorWithPosition(thrown, document);
  }
}

/** The document in a task file, before it is compared with a contract. Throws a FakeError with the position for what is not one of YAML or JSON. */
export function taskDocument(text: string, file: string): LocatedDocument {
  const documents = parseDocuments(text, file);
  const [document] = documents;
  if (document === undefined || documents.length > 1) {
    const position = documents[1]?.positionOf([]) ?? { file, line: 1, column: 1 };
    throw new FakeError("unreadable", `a task file must be one document, got ${documents.length}`, { position });
  }
  return document;
}

/** Parses YAML or JSON. Throws a FakeError with the position of the first error. @param file its name in errors, and that of a nameless study. */
export function parseTaskFile(text: string, file: string, contract: Contract): TaskFile {
  const document = taskDocument(text, file);
  return withPosition(document, () => fileOf(document, contract));
}

function operationsOfSteps(steps: readonly StepForm[]): readonly Operation[] {
  return steps.flatMap((step) => (step.kind === "call" ? [step.operation] : operationsOfSteps(step.steps)));
}

function mayWrite({ sideEffects }: Operation): boolean {
  return sideEffects !== "none";
}

function writes(steps: readonly StepForm[]): boolean {
  return operationsOfSteps(steps).some(mayWrite);
}

/** The file without tasks that may write, and without such operations of mixes. */
export function withoutWriting(file: TaskFile): { readonly file: TaskFile; readonly writing: readonly string[] } {
  const writing: string[] = [];
  const tasks = file.tasks.flatMap((task): readonly TaskForm[] => {
    if (
      task.mix.length === 0 ? [task.setup, ...task.variants.map(({ steps }) => steps)].some(writes) : writes(task.setup)
    ) {
      writing.push(task.name);
      return [];
    }
    const reading = task.mix.filter(({ operation }) => !mayWrite(operation));
    writing.push(...task.mix.flatMap(({ operation }) => (mayWrite(operation) ? [operation.method.name] : [])));
    return task.mix.length > 0 && reading.length === 0 ? [] : [{ ...task, mix: reading }];
  });
  return { file: { ...file, tasks }, writing: [...new Set(writing)] };
}
