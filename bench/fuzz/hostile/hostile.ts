// Every attack on one stack's server, with somebody calling politely all the while.
import { allStacks, knownStack, type KnownStack } from "@roundtrip/stacks";
import type { Served } from "../served.ts";
import type { Attack } from "./attack.ts";
import { grpcAttacks } from "./grpc-attacks.ts";
import { httpAttacks } from "./http-attacks.ts";

export const attacks: readonly Attack[] = [...httpAttacks, ...grpcAttacks];

/** The stacks that can be attacked. */
export const attackedStacks: readonly KnownStack[] = allStacks().filter(({ style }) =>
  attacks.some(({ styles }) => styles.includes(style)),
);

const defaultClients = new Map(
  allStacks().flatMap(({ style, client, isDefault }) => (isDefault ? [[style, client]] : [])),
);

/** One stack of each server, with its style's default client. */
export const usuallyAttacked: readonly string[] = attackedStacks
  .filter(({ style, client }) => client === defaultClients.get(style))
  .map(({ name }) => name);

/** Of one stack, in the order in which they are made: those that wait together first, then each of the others. */
export function attacksOn(stackName: string, words = ""): readonly (readonly Attack[])[] {
  const { style } = knownStack(stackName);
  const all = attacks.filter(({ styles, name }) => styles.includes(style) && name.includes(words));
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
