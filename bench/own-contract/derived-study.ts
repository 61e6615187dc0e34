// Derives a study from a contract: each call as it is and, if it has a read mask, the same field by field.
import { CallError, type Client, type Contract, type Operation } from "@roundtrip/contract";
import type { Study, Task } from "@roundtrip/runner";
import {
  derivedTask,
  measurable,
  reasonNotRepeatable,
  reasonNotSupported,
  type Measurable,
  type NotSupported,
  type TitledClient,
} from "./derived-task.ts";
import { exampleCalls, plainerRequest, type ExampleCall, type ExampleCalls } from "./example-calls.ts";
import { failureText } from "./rehearsed-calls.ts";

/** Operations that are not measured, for one reason. */
export interface LeftOut {
  readonly operations: readonly string[];
  readonly why: string;
}

export interface DerivedStudy {
  /** Undefined if nothing is left to measure. */
  readonly study: Study | undefined;
  readonly leftOut: readonly LeftOut[];
  /** By task: members that differ from call to call, which are not compared. */
  readonly notCompared: ReadonlyMap<string, readonly string[]>;
}

export interface DerivedOptions {
  /** The operations to choose from. */
  readonly available: readonly Operation[];
  /** The requested operations; undefined selects as many as fit. */
  readonly wanted: readonly Operation[] | undefined;
  /** Opens a client of a freshly started server, or of the same running one for a target. */
  readonly open: () => Client;
  /** Every stack or target to measure. */
  readonly clients: readonly TitledClient[];
  readonly mayWrite: boolean;
  /** Whether a server that starts anew gives the same answers. */
  readonly isRepeatable: boolean;
  /** The maximum number of operations if none are requested. Default: 12, for which a run of a minute has time. */
  readonly mostOperations?: number;
  /** Whether calls with a read mask are measured field by field too. */
  readonly byField: boolean;
}

const usualMostOperations = 12;

/** The name of an operation's task: that of the method, with its service if another method has the same name. */
export function taskName({ id, method }: Operation, contract: Contract): string {
  const isAlone = contract.operations.filter((other) => other.method.name === method.name).length === 1;
  return isAlone ? method.name : id.split(".").slice(-2).join(".");
}

/** The reasons why operations are not measured, with the operations of each. */
class Reasons {
  readonly #byWhy = new Map<string, Operation[]>();

  add(operation: Operation, why: string): void {
    this.#byWhy.set(why, [...(this.#byWhy.get(why) ?? []), operation]);
  }

  /** Distinguishes errors by code; the first one of each code is printed in full. */
  addError(operation: Operation, what: string, thrown: unknown): void {
    const begin = `${what} ${CallError.from(thrown).code}`;
    const known = [...this.#byWhy.keys()].find((why) => why.startsWith(begin));
    this.add(operation, known ?? `${what} ${failureText(thrown)}`);
  }

  leftOut(contract: Contract): readonly LeftOut[] {
    return [...this.#byWhy].map(([why, operations]) => ({
      operations: operations.map((operation) => taskName(operation, contract)),
      why,
    }));
  }
}

/** The operations to try, reads first: their answers show the initial state of a server. */
function triedOf({ available, wanted, mayWrite }: DerivedOptions, reasons: Reasons): readonly Operation[] {
  const tried = (wanted ?? available).filter((operation) => {
    const { kind, sideEffects } = operation;
    if (kind !== "unary") reasons.add(operation, "streams (a task file measures them)");
    else if (sideEffects !== "none" && !mayWrite) {
      reasons.add(operation, "may write (--disposable measures them)");
    } else return true;
    return false;
  });
  const [writes, reads] = [true, false].map((wants) =>
    tried.filter(({ sideEffects }) => (sideEffects !== "none") === wants),
  );
  return [...(reads ?? []), ...(writes ?? [])];
}

async function exampleCallsFor(
  contract: Contract,
  tried: readonly Operation[],
  { available, wanted, open, isRepeatable, mostOperations = usualMostOperations }: DerivedOptions,
): Promise<ExampleCalls> {
  // Reads that are not measured may return names for those that are.
  const reads = available.filter(({ kind, sideEffects }) => kind === "unary" && sideEffects === "none");
  const enough = isRepeatable || wanted !== undefined ? Number.POSITIVE_INFINITY : mostOperations;
  return exampleCalls(contract, [...new Set([...reads, ...tried])], { open, enough });
}

function studyOf(contract: Contract, tasks: readonly Task[]): Study | undefined {
  if (tasks.length === 0) return undefined;
  const services = [...new Set(contract.operations.map(({ method }) => method.parent.typeName))];
  const about = services.length === 1 ? services[0] : `${services.length} services`;
  const byField = tasks.some(({ variants }) => Object.hasOwn(variants, "facade")) ? ", and what field by field" : "";
  return {
    name: "contract",
    title: "Your contract",
    question: `What does each call of ${about} cost over each style${byField}?`,
    rounds: 6,
    tasks,
  };
}

interface Checked {
  readonly one: Measurable;
  /** Undefined if it can be measured. */
  readonly refused: NotSupported | undefined;
}

/** Calls a few times, and over every stack or target. Rejects with the CallError of a call that fails. */
async function checkedOnce(contract: Contract, call: ExampleCall, options: DerivedOptions): Promise<Checked> {
  const { wanted, open, clients } = options;
  const one = await measurable(contract, call, open());
  const why = reasonNotRepeatable(call.operation, one, wanted !== undefined);
  const refused = why === undefined ? await reasonNotSupported(clients, one) : { why, isNotCarried: false };
  return { one, refused };
}

/** The same; if a style cannot carry the request, with a plainer one. */
async function checked(contract: Contract, call: ExampleCall, options: DerivedOptions): Promise<Checked> {
  const first = await checkedOnce(contract, call, options);
  if (first.refused?.isNotCarried !== true) return first;
  const request = plainerRequest(call.operation.input, call.request);
  if (request === undefined) return first;
  // A server may need what it lacks.
  const plainer = await checkedOnce(contract, { ...call, request }, options).catch(() => first);
  return plainer.refused === undefined ? plainer : first;
}

/** Finds the operations that can be measured by calling each a few times. Rejects with the CallError of a server that does not answer at all. */
export async function derivedStudy(contract: Contract, options: DerivedOptions): Promise<DerivedStudy> {
  const { wanted, open, mostOperations = usualMostOperations } = options;
  const reasons = new Reasons();
  const tried = triedOf(options, reasons);
  const { found, unanswered } = await exampleCallsFor(contract, tried, options);
  const tasks: Task[] = [];
  const notCompared = new Map<string, readonly string[]>();
  for (const operation of tried) {
    const request = found.get(operation);
    const error = unanswered.get(operation);
    if (error !== undefined) reasons.addError(operation, "no request was found that is answered:", error);
    else if (request === undefined || (wanted === undefined && tasks.length === mostOperations)) {
      reasons.add(operation, `beyond the ${mostOperations} that a run measures by itself (--operations names others)`);
    } else {
      try {
        const { one, refused } = await checked(contract, { operation, request }, options);
        if (refused !== undefined) {
          reasons.add(operation, refused.why);
          continue;
        }
        const name = taskName(operation, contract);
        tasks.push(await derivedTask(one, name, open(), options));
        if (one.differing.length > 0) notCompared.set(name, one.differing);
      } catch (thrown) {
        reasons.addError(operation, "answered once, and when called again", thrown);
      }
    }
  }
  return { study: studyOf(contract, tasks), leftOut: reasons.leftOut(contract), notCompared };
}
