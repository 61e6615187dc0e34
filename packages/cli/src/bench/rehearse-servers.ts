// Rehearses calls on the servers that are measured, where commands start them or they run already.
import type { Contract } from "@roundtrip/contract";
import type { ServerSource, ServiceSource, Target } from "@roundtrip/runner";
import type { Stack } from "@roundtrip/stacks";
import { openRehearsal, type Rehearsal } from "./rehearsal.ts";

const readyLimitMs = 30_000;

interface Started {
  readonly serverOf: (stack: string) => ServerSource;
  readonly owner: string;
  readonly stacks: readonly Stack[];
}

/** Starts servers by their commands. The first stack has two, so that one of them is as fresh as in a round. */
async function startedTargets(
  { serverOf, owner, stacks }: Started,
  closing: AsyncDisposableStack,
): Promise<readonly Target[]> {
  const { CommandServer } = await import("@roundtrip/runner/parts");
  return Promise.all(
    [...stacks, ...stacks.slice(0, 1)].map(async ({ name: stack, title }): Promise<Target> => {
      const command = serverOf(stack);
      if (command.kind !== "command") throw new Error(`the ${stack} server is not a program`);
      const server = new CommandServer({ command, stack, label: `${owner}${title} (command) server`, readyLimitMs });
      closing.defer(() => server.stop());
      return { stack, url: await server.start(), ca: command.ca, tokenVariable: command.tokenVariable };
    }),
  );
}

interface Rehearsing {
  readonly contract: Contract;
  readonly stacks: readonly Stack[];
  /** What the servers are started from; undefined for servers in this process. */
  readonly serverOf: ((stack: string) => ServerSource) | undefined;
  /** Whose they are, in messages: `base ` or nothing. */
  readonly owner: string;
  readonly service: ServiceSource;
  readonly mayWrite: boolean;
}

/** A rehearsal on running targets, on servers that commands start, otherwise in this process. */
export async function rehearsalOf(
  { contract, stacks, serverOf, owner, service, mayWrite }: Rehearsing,
  closing: AsyncDisposableStack,
): Promise<{ readonly rehearsal: Rehearsal; readonly targets: readonly Target[] }> {
  const [first] = stacks;
  const running = stacks.flatMap(({ name }) => {
    const source = serverOf?.(name);
    return source?.kind === "target" ? [source.target] : [];
  });
  if (running.length > 0) {
    const measured = { stacks, targets: running, areDisposable: mayWrite };
    return { rehearsal: closing.use(await openRehearsal(contract, service, measured)), targets: running };
  }
  if (serverOf === undefined || first === undefined || serverOf(first.name).kind !== "command") {
    const measured = { stacks, targets: [], areDisposable: true };
    return { rehearsal: closing.use(await openRehearsal(contract, service, measured)), targets: [] };
  }
  const all = await startedTargets({ serverOf, owner, stacks }, closing);
  const [targets, spare] = [all.slice(0, -1), all.slice(-1)];
  const on = async (some: readonly Target[], served: readonly Stack[]): Promise<Rehearsal> =>
    closing.use(await openRehearsal(contract, service, { stacks: served, targets: some, areDisposable: mayWrite }));
  const [whole, fresh] = [await on(targets, stacks), await on(spare, [first])];
  return { rehearsal: { ...whole, open: fresh.open }, targets };
}
