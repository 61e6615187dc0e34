// Runs every attack on the server of one stack while a well-behaved client calls it.
import { create } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { knownStack, loadStack } from "@roundtrip/stacks";
import { loadMisuses } from "@roundtrip/styles";
import type { PoliteCaller } from "../polite-caller.ts";
import { loadFuzzedStyle, type StyleAttack } from "../fuzzed-style.ts";
import { isDeepStrictEqual } from "node:util";
import { smallLimits, type Served } from "../served.ts";
import { styleStacks } from "../style-stacks.ts";
import { type Attack, expectThat, operationNamed } from "./connection.ts";
import { connectionAttacks } from "./connection-attacks.ts";
import { foreignCallers } from "./foreign-callers.ts";
import { http1Attacks, http1StreamAttacks } from "./http1-attacks.ts";
import { http1Costs, http1StreamCosts } from "./http1-costs.ts";
import { http2Attacks } from "./http2-attacks.ts";
import { http2Costs } from "./http2-costs.ts";
import { jsonAttacks } from "./json-attacks.ts";
import { libraryCosts } from "./library-costs.ts";

const defaultClients = new Map(
  styleStacks.flatMap(({ style, client, isDefault }) => (isDefault ? [[style, client]] : [])),
);

/** One stack of each server, with the default client of its style. */
export const usuallyAttacked: readonly string[] = styleStacks
  .filter(({ style, client }) => client === defaultClients.get(style))
  .map(({ name }) => name);

function ofStyle({ name, send, answers }: StyleAttack): Attack {
  return {
    name,
    waits: false,
    async run({ url }) {
      const operation = operationNamed("Echo");
      const answer = await send({
        url,
        ca: undefined,
        contract: conformanceContract(),
        operation,
        request: create(operation.input),
        maxRequestBytes: smallLimits.maxMessageBytes,
      });
      const isAllowed = answers.some((allowed) => isDeepStrictEqual(answer, allowed));
      expectThat(
        isAllowed,
        `the answer is ${answer.code ?? "no code"} with HTTP status ${answer.httpStatus ?? "none"}`,
      );
    },
  };
}

async function takesStreams(stackName: string): Promise<boolean> {
  const { limitations } = await loadStack(stackName);
  return !limitations.some(({ feature }) => feature === "clientStream");
}

/** The attacks that fit the protocol, format and operations of the stack, and those that its style defines. */
async function attacksFor(stackName: string): Promise<readonly Attack[]> {
  const { style } = knownStack(stackName);
  const { attacks, answerFaults } = await loadFuzzedStyle(style);
  const framing = answerFaults?.framing;
  const isJson = (await loadMisuses(style))?.spellings !== undefined;
  return [
    ...connectionAttacks,
    ...(framing === "http/1.1" ? [...http1Attacks, ...foreignCallers] : []),
    ...(framing === "http/1.1" && (await takesStreams(stackName)) ? http1StreamAttacks : []),
    ...(framing === "http/1.1" && isJson ? jsonAttacks : []),
    ...(framing === "http/2" ? http2Attacks : []),
    ...attacks.map(ofStyle),
  ];
}

/** The attacks with these words in their names that cost a server with its usual limits much time or memory, one after another. */
export async function costAttacksOn(stackName: string, words = ""): Promise<readonly Attack[]> {
  const { answerFaults, notation } = await loadFuzzedStyle(knownStack(stackName).style);
  const isHttp2 = answerFaults?.framing === "http/2";
  const streams = !isHttp2 && (await takesStreams(stackName)) ? http1StreamCosts : [];
  const all = [...(isHttp2 ? http2Costs : http1Costs(notation)), ...streams, ...libraryCosts];
  return all.filter(({ name }) => name.includes(words));
}

/** The attacks on one stack, in order: first those that wait, together, then each of the others. */
export async function attacksOn(stackName: string, words = ""): Promise<readonly (readonly Attack[])[]> {
  const all = (await attacksFor(stackName)).filter(({ name }) => name.includes(words));
  const waiting = all.filter(({ waits }) => waits);
  const others = all.filter(({ waits }) => !waits).map((attack) => [attack]);
  return waiting.length === 0 ? others : [waiting, ...others];
}

/** Makes attacks at once. Rejects if the server answers wrongly, if polite calls fail during or after the attacks, or if the server ends. */
export async function withstand(
  together: readonly Attack[],
  target: Served,
  caller: PoliteCaller,
): Promise<{ readonly politeCalls: number }> {
  const before = caller.calls;
  await Promise.all(
    together.map(async (attack) => {
      try {
        await attack.run(target);
      } catch (cause) {
        throw new Error(`${attack.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
    }),
  );
  await caller.nextAnswer();
  const end = target.end();
  if (end !== undefined) throw new Error(end);
  return { politeCalls: caller.calls - before };
}
