// Every attack on one stack's server, with somebody calling politely all the while.
import { create } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { knownStack, loadStack } from "@roundtrip/stacks";
import { loadAnswerFaults, loadAttacks, loadMisuses, type StyleAttack } from "@roundtrip/styles";
import { isDeepStrictEqual } from "node:util";
import { smallLimits, type Served } from "../served.ts";
import { styleStacks } from "../style-stacks.ts";
import { expectThat, type Attack } from "./attack.ts";
import { connectionAttacks } from "./connection-attacks.ts";
import { operationNamed } from "./example-call.ts";
import { http1Attacks, http1StreamAttacks } from "./http1-attacks.ts";
import { http2Attacks } from "./http2-attacks.ts";
import { jsonAttacks } from "./json-attacks.ts";

const defaultClients = new Map(
  styleStacks.flatMap(({ style, client, isDefault }) => (isDefault ? [[style, client]] : [])),
);

/** One stack of each server, with its style's default client. */
export const usuallyAttacked: readonly string[] = styleStacks
  .filter(({ style, client }) => client === defaultClients.get(style))
  .map(({ name }) => name);

/** An attack that a style brings. */
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

/** What fits the stack's protocol, its text and its operations, and what its style brings. */
async function attacksFor(stackName: string): Promise<readonly Attack[]> {
  const { style } = knownStack(stackName);
  const framing = (await loadAnswerFaults(style))?.framing;
  const isJson = (await loadMisuses(style))?.spellings !== undefined;
  const { limitations } = await loadStack(stackName);
  const takesStreams = !limitations.some(({ feature }) => feature === "clientStream");
  return [
    ...connectionAttacks,
    ...(framing === "http/1.1" ? http1Attacks : []),
    ...(framing === "http/1.1" && takesStreams ? http1StreamAttacks : []),
    ...(framing === "http/1.1" && isJson ? jsonAttacks : []),
    ...(framing === "http/2" ? http2Attacks : []),
    ...(await loadAttacks(style)).map(ofStyle),
  ];
}

/** The attacks on one stack in the order in which they are made: those that wait together first, then each of the others. */
export async function attacksOn(stackName: string, words = ""): Promise<readonly (readonly Attack[])[]> {
  const all = (await attacksFor(stackName)).filter(({ name }) => name.includes(words));
  const waiting = all.filter(({ waits }) => waits);
  const others = all.filter(({ waits }) => !waits).map((attack) => [attack]);
  return waiting.length === 0 ? others : [waiting, ...others];
}

/** Makes attacks at once. Rejects with what was wrong: with the server's answer, with polite calls meanwhile and after, or with its life. */
export async function withstand(
  together: readonly Attack[],
  target: Served,
): Promise<{ readonly politeCalls: number }> {
  // Loaded where it calls: it brings every library that a client needs.
  const { politeCaller } = await import("../polite-caller.ts");
  const polite = await politeCaller(target.stackName, target.url);
  try {
    const stop = polite.keepCalling();
    await Promise.all(
      together.map(async (attack) => {
        try {
          await attack.run(target);
        } catch (cause) {
          throw new Error(`${attack.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
        }
      }),
    );
    const politeCalls = await stop();
    const end = target.end();
    if (end !== undefined) throw new Error(end);
    return { politeCalls };
  } finally {
    await polite.close();
  }
}
