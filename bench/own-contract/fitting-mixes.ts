// Leaves out requests of mixes that a server does not answer, or not twice: those of a recorded day refer to data that another server may not have.
import type { JsonObject } from "@bufbuild/protobuf";
import { CallError, type Client, type Contract, type Operation } from "@roundtrip/contract";
import type { LeftOut } from "./derived-study.ts";
import { exampleCalls, requestJson } from "./example-calls.ts";
import { callTwice } from "./mix-task.ts";
import { mixSteps, type MixStep } from "./mix-form.ts";
import type { MixForm, MixRequest } from "./mix-form.ts";
import { failureText } from "./rehearsed-calls.ts";
import type { Scope } from "./references.ts";
import { rehearseSteps } from "./rehearse-steps.ts";
import { withPositionAsync, type TaskFile, type TaskForm } from "./task-file.ts";
import type { TitledClient } from "./derived-task.ts";
import { isDeepStrictEqual } from "node:util";

export interface FittingMixes {
  /** Without mixes of which nothing is left. */
  readonly file: TaskFile;
  readonly leftOut: readonly LeftOut[];
  /** Operations of which no request was answered, so that an example that is answered stands for all. */
  readonly byExample: readonly Operation[];
}

/** A request that is deleted by another one of the mix fails only in a later pass. */
const mostPasses = 3;

/** Requests that are left out, by operation and reason. */
class Failures {
  readonly requests = new Set<MixRequest>();
  readonly #byReason = new Map<string, { readonly operation: Operation; readonly why: string; count: number }>();

  addError(step: MixStep, over: string, thrown: CallError): void {
    this.add(step, `${over}${thrown.code}`, `${over}${failureText(thrown)}`);
  }

  /** @param kind distinguishes reasons; the first one of each kind is printed in full. */
  add({ form, request }: MixStep, kind: string, why: string): void {
    const { operation } = form;
    const key = `${operation.id} ${kind}`;
    const known = this.#byReason.get(key) ?? { operation, why, count: 0 };
    this.#byReason.set(key, { ...known, count: known.count + 1 });
    for (const alike of form.requests) {
      if (JSON.stringify(alike.json) === JSON.stringify(request.json)) this.requests.add(alike);
    }
  }

  leftOut(): readonly LeftOut[] {
    return [...this.#byReason.values()].map(({ operation, why, count }) => ({
      operations: [`${count} ${count === 1 ? "request" : "requests"} of ${operation.method.name}`],
      why,
    }));
  }
}

function without(mix: readonly MixForm[], { requests: failed }: Failures): readonly MixForm[] {
  return mix.flatMap((form) => {
    const requests = form.requests.filter((one) => !failed.has(one));
    return requests.length === 0 ? [] : [{ ...form, requests }];
  });
}

interface Servers {
  /** Opens a client of a fresh server, or of a target. */
  readonly open: () => Client;
  readonly clients: readonly TitledClient[];
}

async function fittingMix(form: TaskForm, { open, clients }: Servers, failures: Failures): Promise<readonly MixForm[]> {
  let { mix } = form;
  const answers = new Map<MixRequest, JsonObject>();
  const tryOne = async (client: Client, step: MixStep, over: string, scope: Scope): Promise<void> => {
    try {
      const answer = await callTwice(client, step, scope);
      const first = answers.get(step.request);
      if (answer === undefined) return;
      if (first === undefined || over === "") answers.set(step.request, answer);
      else if (!isDeepStrictEqual(answer, first)) failures.add(step, over, `answered otherwise ${over.trim()}`);
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      failures.addError(step, over, thrown);
    }
  };
  const tryAll = async (client: Client, over: string): Promise<void> => {
    const { scope } = await rehearseSteps(client, form.setup, new Map());
    for (const step of mixSteps(mix)) await tryOne(client, step, over, scope);
    mix = without(mix, failures);
  };
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const before = failures.requests.size;
    await tryAll(open(), "");
    if (failures.requests.size === before) break;
  }
  // A setup that creates something cannot run twice on the servers of a rehearsal.
  for (const { client, title } of form.setup.length > 0 ? [] : clients) await tryAll(client, `over ${title} `);
  return mix;
}

/** Examples for the operations of a mix of which nothing is left, with names that other operations answer. */
async function examplesFor(
  form: TaskForm,
  contract: Contract,
  lost: readonly MixForm[],
  servers: Servers,
): Promise<readonly MixForm[]> {
  if (lost.length === 0) return [];
  const reads = contract.operations.filter(({ kind, sideEffects }) => kind === "unary" && sideEffects === "none");
  const operations = [...new Set([...reads, ...lost.map(({ operation }) => operation)])];
  const { found } = await exampleCalls(contract, operations, { open: servers.open, enough: Number.POSITIVE_INFINITY });
  const mix = lost.flatMap((one) => {
    const request = found.get(one.operation);
    if (request === undefined) return [];
    const json = requestJson(contract, { operation: one.operation, request });
    return [{ ...one, requests: [{ json, path: one.path }] }];
  });
  return mix.length === 0 ? [] : fittingMix({ ...form, mix }, servers, new Failures());
}

/**
 * Calls every request of every mix twice, first on a fresh server, then over each stack. An operation of which no request is answered is called with
 * an example: the data of a recorded day are not those of a fake.
 */
export async function fittingMixes(file: TaskFile, servers: Servers): Promise<FittingMixes> {
  const failures = new Failures();
  const tasks: TaskForm[] = [];
  const byExample: Operation[] = [];
  await withPositionAsync(file.document, async () => {
    for (const form of file.tasks) {
      if (form.mix.length === 0) tasks.push(form);
      else {
        const fitting = await fittingMix(form, servers, failures);
        const isLost = ({ operation, path }: MixForm): boolean =>
          operation.kind === "unary" && !fitting.some((one) => one.path === path);
        const examples = await examplesFor(form, file.contract, form.mix.filter(isLost), servers);
        byExample.push(...examples.map(({ operation }) => operation));
        const mix = [...fitting, ...examples];
        if (mix.length > 0) tasks.push({ ...form, mix });
      }
    }
  });
  return { file: { ...file, tasks }, leftOut: failures.leftOut(), byExample };
}
