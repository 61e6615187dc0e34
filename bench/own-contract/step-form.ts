// The steps of a task file: calls, loops over answers, and sets of parallel calls.
import type { JsonValue } from "@bufbuild/protobuf";
import { isObject, type Contract, type Operation } from "@roundtrip/contract";
import { FakeError, operationNamed, type ValuePath } from "@roundtrip/fakes";
import { expected, readWholeMessage } from "@roundtrip/fakes/parts";
import { listOf, objectOf, textOf } from "./form.ts";
import { hasReferences } from "./references.ts";

interface CallForm {
  readonly kind: "call";
  readonly operation: Operation;
  /** In ProtoJSON, with references to earlier answers. */
  readonly request: JsonValue;
  /** The name of its answer for later steps; empty if they do not use it. */
  readonly as: string;
  /** The member of the plan's answer for this answer, or for the list of answers in a loop; empty merges its fields into the plan's answer. */
  readonly into: string;
  readonly path: ValuePath;
}

interface LoopForm {
  readonly kind: "loop";
  /** A list in an earlier answer, such as `shelf.books`. */
  readonly over: string;
  /** The name of an item for the steps inside. */
  readonly as: string;
  readonly atOnce: boolean;
  /** Uses at most this many items of the list. */
  readonly most: number;
  readonly steps: readonly StepForm[];
  readonly path: ValuePath;
}

interface SetForm {
  readonly kind: "set";
  readonly steps: readonly StepForm[];
  readonly path: ValuePath;
}

export type StepForm = CallForm | LoopForm | SetForm;

const callKeys = ["operation", "request", "as", "into"] as const;
const loopKeys = ["for-each", "as", "at-once", "most", "steps"] as const;
const setKeys = ["at-once"] as const;

const nameForm = /^[A-Za-z][\w-]*$/;

/** A name; empty if it is missing. */
function optionalName(json: JsonValue | undefined, path: ValuePath): string {
  const text = textOf(json, "", path);
  if (json !== undefined && !nameForm.test(text)) throw expected("a name of letters, digits, - and _", json, path);
  return text;
}

/** The context of steps: parallel steps cannot refer to each other's answers. */
interface Surroundings {
  readonly contract: Contract;
  readonly isAtOnce: boolean;
}

function callOf(json: JsonValue, path: ValuePath, { contract, isAtOnce }: Surroundings): CallForm {
  const { operation: name, request = {}, as, into } = objectOf(json, callKeys, "a call", path);
  if (typeof name !== "string") throw expected("the name of an operation", name ?? null, [...path, "operation"]);
  const operation = operationNamed(contract, name, [...path, "operation"]);
  if (operation.kind === "bidi_streaming") {
    throw new FakeError("wrong-type", `${operation.id} streams both ways, which no task does`, {
      path: [...path, "operation"],
    });
  }
  if (as !== undefined && isAtOnce) {
    const what =
      "calls that are made at once know nothing of each other's answers: name one that is made before, or in setup";
    throw new FakeError("wrong-type", what, { path: [...path, "as"] });
  }
  const at = [...path, "request"];
  // Reports errors in requests without references before any call.
  if (!hasReferences(request)) readWholeMessage(operation.input, request, at, contract.registry);
  const names = { as: optionalName(as, [...path, "as"]), into: optionalName(into, [...path, "into"]) };
  return { kind: "call", operation, request, ...names, path };
}

function loopOf(json: JsonValue, path: ValuePath, around: Surroundings): LoopForm {
  const loop = objectOf(json, loopKeys, "a loop", path);
  const over = textOf(loop["for-each"], "", [...path, "for-each"]).replace(/^\$\{(.*)\}$/, "$1");
  const { as = null, most = Number.MAX_SAFE_INTEGER, steps = null } = loop;
  const atOnce = loop["at-once"] ?? false;
  if (typeof atOnce !== "boolean") throw expected("true or false", atOnce, [...path, "at-once"]);
  if (typeof most !== "number" || !Number.isInteger(most) || most < 1) {
    throw expected("a whole number, 1 or more", most, [...path, "most"]);
  }
  if (typeof as !== "string") throw expected("what an item is called in the steps inside", as, [...path, "as"]);
  const inside = { ...around, isAtOnce: around.isAtOnce || atOnce };
  return {
    kind: "loop",
    over,
    as: optionalName(as, [...path, "as"]),
    atOnce,
    most,
    steps: stepsOf(steps, [...path, "steps"], inside),
    path,
  };
}

function stepOf(json: JsonValue, path: ValuePath, around: Surroundings): StepForm {
  if (isObject(json) && Object.hasOwn(json, "for-each")) return loopOf(json, path, around);
  if (isObject(json) && Object.hasOwn(json, "at-once")) {
    const set = objectOf(json, setKeys, "a set of steps", path);
    const steps = stepsOf(set["at-once"] ?? null, [...path, "at-once"], { ...around, isAtOnce: true });
    return { kind: "set", steps, path };
  }
  return callOf(json, path, around);
}

/** Parses steps. Throws a FakeError for an invalid form or unknown names. @param around the contract, and whether all of them are called at once. */
export function stepsOf(json: JsonValue, path: ValuePath, around: Surroundings): readonly StepForm[] {
  const list = listOf(json, path);
  if (list.length === 0) throw expected("at least one step", [], path);
  return list.map((one, index) => stepOf(one, [...path, index], around));
}
