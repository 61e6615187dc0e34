// Makes the calls of a task once, in order, and records them as fixed steps. Loops over answers are unrolled here, so that every stack makes the same
// calls.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { FakeError, type ValuePath } from "@roundtrip/fakes";
import { jsonText, readWholeMessage } from "@roundtrip/fakes/parts";
import { mergedAnswer, type AnswerPosition, type StepAnswer, type Step } from "@roundtrip/runner";
import { resolved, valueAt } from "./references.ts";
import { failureText, rehearse, type Rehearsed } from "./rehearsed-calls.ts";
import type { StepForm } from "./step-form.ts";

/** A task of more calls is not one that a user waits for. */
const mostCalls = 500;

/** The recorded steps. */
export interface RehearsedSteps {
  readonly steps: readonly Step[];
  readonly answer: JsonObject;
  /** Answers by the names that steps give them. */
  readonly scope: ReadonlyMap<string, JsonValue>;
}

/** What a plan needs of a stack for an operation of each kind. */
export const needs = {
  unary: {},
  server_streaming: { needs: "serverStream" },
  client_streaming: { needs: "clientStream" },
} as const;

/** One pass over the steps of one plan. */
class Rehearsal {
  readonly #client: Client;
  readonly #steps: Step[] = [];
  readonly #answers: StepAnswer[] = [];
  /** The number of answers in each list so far. */
  readonly #lists = new Map<string, number>();
  #sets = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Follows steps, each with the answers before it. @param set the number of the set that they belong to; undefined if they follow each other. */
  async follow(
    forms: readonly StepForm[],
    scope: Map<string, JsonValue>,
    set: number | undefined,
    isInLoop: boolean,
  ): Promise<void> {
    for (const form of forms) {
      if (form.kind === "call") await this.#call(form, scope, set, isInLoop);
      else if (form.kind === "set") await this.follow(form.steps, scope, set ?? (this.#sets += 1), isInLoop);
      else await this.#loop(form, scope, set);
    }
  }

  get result(): Omit<RehearsedSteps, "scope"> {
    return { steps: this.#steps, answer: mergedAnswer(this.#answers) };
  }

  async #loop(
    { over, as, atOnce, most, steps, path }: StepForm & { readonly kind: "loop" },
    scope: Map<string, JsonValue>,
    set: number | undefined,
  ): Promise<void> {
    const at = [...path, "for-each"];
    const list = valueAt(over, scope, at);
    if (!Array.isArray(list)) {
      throw new FakeError("wrong-type", `${over} is no list, but ${jsonText(list)}: there is nothing to loop over`, {
        path: at,
      });
    }
    if (list.length === 0) {
      throw new FakeError("call-failed", `${over} is empty: there is nothing to loop over`, { path: at });
    }
    const shared = set ?? (atOnce ? (this.#sets += 1) : undefined);
    for (const item of list.slice(0, most)) {
      await this.follow(steps, new Map([...scope, [as, item]]), shared, true);
    }
  }

  async #call(
    { operation, request, as, into, path }: StepForm & { readonly kind: "call" },
    scope: Map<string, JsonValue>,
    set: number | undefined,
    isInLoop: boolean,
  ): Promise<void> {
    if (this.#steps.length === mostCalls) {
      const what = `more than ${mostCalls} calls for one task; "most" ends a loop earlier`;
      throw new FakeError("too-large", what, { path });
    }
    const json = resolved(request, scope, [...path, "request"]);
    const { answer, measured } = await this.#answer(operation, json, path);
    if (as !== "") scope.set(as, answer);
    const place = into === "" ? undefined : this.#placeIn(into, isInLoop);
    this.#answers.push({ answer: measured, into: place });
    this.#steps.push({
      operation: operation.id,
      request: json,
      ...needs[operation.kind as keyof typeof needs],
      ...(place === undefined ? {} : { into: place }),
      ...(set === undefined ? {} : { set }),
    });
  }

  async #answer(
    operation: (StepForm & { readonly kind: "call" })["operation"],
    json: JsonValue,
    path: ValuePath,
  ): Promise<Rehearsed> {
    const { registry } = this.#client.contract;
    const message = readWholeMessage(operation.input, json, [...path, "request"], registry);
    try {
      return await rehearse(this.#client, operation, message);
    } catch (cause) {
      const what = `${operation.id} with ${jsonText(json)} is answered ${failureText(cause)}`;
      throw new FakeError("call-failed", what, { path, cause });
    }
  }

  #placeIn(member: string, isInLoop: boolean): AnswerPosition {
    if (!isInLoop) return { member };
    const index = this.#lists.get(member) ?? 0;
    this.#lists.set(member, index + 1);
    return { member, index };
  }
}

/**
 * Rehearses steps. Rejects with a FakeError for a call that fails, a request that breaks a rule, and a loop over a value that is not a list.
 * @param known answers that steps may refer to.
 */
export async function rehearseSteps(
  client: Client,
  forms: readonly StepForm[],
  known: ReadonlyMap<string, JsonValue>,
): Promise<RehearsedSteps> {
  const scope = new Map(known);
  const rehearsal = new Rehearsal(client);
  await rehearsal.follow(forms, scope, undefined, false);
  return { ...rehearsal.result, scope };
}
