// The tasks of a file that another version of its contract supports too.
import type { DescMessage, JsonValue } from "@bufbuild/protobuf";
import { hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import { isObject, type Contract, type Operation } from "@roundtrip/contract";
import { FakeError } from "@roundtrip/fakes";
import { readWholeMessage } from "@roundtrip/fakes/parts";
import { hasReferences } from "./references.ts";
import type { StepForm } from "./step-form.ts";
import type { TaskFile, TaskForm } from "./task-file.ts";

/** What the other version lacks. */
export interface MissingPart {
  readonly task: string;
  /** For example `calls shop.v1.Shop.GetThing`, or `sends shop.v1.GetThingRequest.language`. */
  readonly what: string;
  /** Whether the task is left out. Of a mix, other operations may be left. */
  readonly isWholeTask: boolean;
}

interface OtherVersion {
  readonly contract: Contract;
  /** The ids of the operations that both versions have. */
  readonly known: ReadonlySet<string>;
}

/** The first member of a request that the type lacks, as `Type.member`. Members of other kinds than messages are not looked into. */
function unknownMember(type: DescMessage, json: JsonValue): string | undefined {
  if (!isObject(json) || hasCustomJsonRepresentation(type)) return undefined;
  for (const [key, value] of Object.entries(json)) {
    // An extension is not a field of the type.
    if (key.startsWith("[")) continue;
    const field = type.fields.find(({ name, jsonName }) => name === key || jsonName === key);
    if (field === undefined) return `${type.typeName}.${key}`;
    const { message } = field;
    if (message === undefined) continue;
    const inside = Array.isArray(value) ? value : field.fieldKind === "map" && isObject(value) ? value : [value];
    const unknown = Object.values(inside).flatMap((one: JsonValue) => unknownMember(message, one) ?? []);
    if (unknown.length > 0) return unknown[0];
  }
  return undefined;
}

/** What the other version lacks for a call; undefined if nothing. */
function lackFor(operation: Operation, request: JsonValue, { contract, known }: OtherVersion): string | undefined {
  if (!known.has(operation.id)) return `calls ${operation.id}`;
  const { input } = contract.operation(operation.id);
  const member = unknownMember(input, request);
  if (member !== undefined) return `sends ${member}`;
  if (hasReferences(request)) return undefined;
  try {
    readWholeMessage(input, request, [], contract.registry);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof FakeError)) throw thrown;
    // A value of an enum, or a field of another type.
    return `sends a request to ${operation.method.name} (${thrown.message})`;
  }
}

function lacksFor(steps: readonly StepForm[], other: OtherVersion): readonly string[] {
  return steps.flatMap((step) =>
    step.kind === "call" ? (lackFor(step.operation, step.request, other) ?? []) : lacksFor(step.steps, other),
  );
}

function stepsIn(steps: readonly StepForm[], contract: Contract): readonly StepForm[] {
  return steps.map((step) =>
    step.kind === "call"
      ? { ...step, operation: contract.operation(step.operation.id) }
      : { ...step, steps: stepsIn(step.steps, contract) },
  );
}

/** The task as the other version supports it; undefined for one that it does not. Adds what is missing. */
function taskIn(task: TaskForm, other: OtherVersion, missing: MissingPart[]): TaskForm | undefined {
  const { contract } = other;
  const lacking = new Set<string>();
  const mix = task.mix.flatMap((form) => {
    const requests = form.requests.filter(({ json }) => {
      const what = lackFor(form.operation, json, other);
      if (what !== undefined) lacking.add(what);
      return what === undefined;
    });
    return requests.length === 0 ? [] : [{ ...form, operation: contract.operation(form.operation.id), requests }];
  });
  const isEmptyMix = task.mix.length > 0 && mix.length === 0;
  const steps = [...task.setup, ...task.variants.flatMap((variant) => variant.steps)];
  const [first = isEmptyMix ? [...lacking][0] : undefined] = lacksFor(steps, other);
  if (first !== undefined) {
    missing.push({ task: task.name, what: first, isWholeTask: true });
    return undefined;
  }
  missing.push(...[...lacking].map((what) => ({ task: task.name, what, isWholeTask: false })));
  const variants = task.variants.map((variant) => ({ ...variant, steps: stepsIn(variant.steps, contract) }));
  return { ...task, setup: stepsIn(task.setup, contract), variants, mix };
}

/** The same tasks with the operations of another contract, without what that contract lacks. @param known the ids of operations that both have */
export function tasksIn(
  file: TaskFile,
  contract: Contract,
  known: ReadonlySet<string>,
): { readonly file: TaskFile; readonly missing: readonly MissingPart[] } {
  const missing: MissingPart[] = [];
  const tasks = file.tasks.flatMap((task) => taskIn(task, { contract, known }, missing) ?? []);
  return { file: { ...file, contract, tasks }, missing };
}
