// A task from a mix: every execution makes one of its calls, with the shares that the file states.
import type { JsonObject } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { FakeError } from "@roundtrip/fakes";
import { jsonText, readWholeMessage } from "@roundtrip/fakes/parts";
import { type Step, type Task, taskDefaults } from "@roundtrip/runner";
import { isDeepStrictEqual } from "node:util";
import { answerMember, mixSteps, turnsOf, type MixStep } from "./mix-form.ts";
import { rehearse, failureText, type Rehearsed } from "./rehearsed-calls.ts";
import { resolved, type Scope } from "./references.ts";
import { needs, type RehearsedSteps } from "./rehearse-steps.ts";
import { usualCalls, type TaskForm } from "./task-file.ts";

/** Compares a member that no answer has. An empty list would compare everything. */
const nothing = "nothing";

async function call(client: Client, { form, request }: MixStep, scope: Scope): Promise<Rehearsed> {
  const { operation } = form;
  const { json, path } = request;
  const message = readWholeMessage(operation.input, resolved(json, scope, path), path, client.contract.registry);
  return rehearse(client, operation, message);
}

/** Calls twice, because a mix repeats its calls. Resolves to the answer if both are the same. Rejects with the CallError of a failed call. */
export async function callTwice(client: Client, step: MixStep, scope: Scope): Promise<JsonObject | undefined> {
  const first = await call(client, step, scope);
  const second = await call(client, step, scope);
  return isDeepStrictEqual(first.measured, second.measured) ? first.measured : undefined;
}

/** The task of a mix, with the answers that differ from call to call left out of the comparison. Rejects with a FakeError for a call that fails. */
export async function mixTask(client: Client, form: TaskForm, setup: RehearsedSteps): Promise<Task> {
  const { scope } = setup;
  const made = mixSteps(form.mix);
  const steps: Step[] = [];
  const compared: string[] = [];
  for (const [index, step] of made.entries()) {
    const { operation } = step.form;
    const { json, path } = step.request;
    const member = answerMember(index, operation);
    const answer = await callTwice(client, step, scope).catch((cause: unknown) => {
      if (cause instanceof FakeError) throw cause;
      const what = `${operation.id} with ${jsonText(json)} is answered ${failureText(cause)}`;
      throw new FakeError("call-failed", what, { path, cause });
    });
    if (answer !== undefined) compared.push(member);
    steps.push({
      operation: operation.id,
      request: resolved(json, scope, path),
      ...needs[operation.kind as keyof typeof needs],
      into: { member },
    });
  }
  const weights = made.map(({ weight }) => weight);
  const calls = form.calls ?? Math.max(usualCalls, steps.length);
  return {
    ...taskDefaults,
    name: form.name,
    variants: { mix: { order: "sequential", driver: "own", steps, turns: turnsOf(weights, calls) } },
    answerKeys: compared.length === 0 ? [nothing] : compared,
    setup: setup.steps,
    tasksPerRound: calls,
    // A block begins with the first turn, so that one block has all of them.
    tasksPerBlock: calls,
  };
}
