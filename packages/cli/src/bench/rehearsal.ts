// Servers and targets for rehearsing calls before the measurement. The servers run in this process and end before anything is measured.
import { CallError, type Client, type Contract, contractFromImage, type Service } from "@roundtrip/contract";
import { bearerClient, type ServerSource, type ServiceSource, shownUrl, type Target } from "@roundtrip/runner";
import { connectDefaults, loadConnect, loadServe, serveDefaults, type Stack } from "@roundtrip/stacks";
import type { TitledClient } from "@roundtrip/bench/own-contract";
import { readFile } from "node:fs/promises";
import { CliError } from "../basics/cli-error.ts";

const readyLimitMs = 30_000;

interface Started {
  readonly serverOf: Rehearsing["serverOf"];
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
      if (command?.kind !== "command") throw new Error(`the ${stack} server is not a program`);
      const server = new CommandServer({ command, stack, label: `${owner}${title} (command) server`, readyLimitMs });
      closing.defer(() => server.stop());
      return { stack, url: await server.start(), ca: command.ca, tokenVariable: command.tokenVariable };
    }),
  );
}

interface Rehearsing {
  readonly contract: Contract;
  readonly stacks: readonly Stack[];
  /** Where the server of a stack runs, or what starts it; undefined for a server in this process. */
  readonly serverOf: (stack: string) => ServerSource | undefined;
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
    const source = serverOf(name);
    return source?.kind === "target" ? [source.target] : [];
  });
  if (running.length > 0) {
    const measured = { stacks, targets: running, areDisposable: mayWrite };
    return { rehearsal: closing.use(await openRehearsal(contract, service, measured)), targets: running };
  }
  if (first === undefined || serverOf(first.name)?.kind !== "command") {
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

export interface Rehearsal extends AsyncDisposable {
  /** Opens a client of a service with a round's initial data; of the first target if nothing is served here. */
  readonly open: () => Client;
  /** Every measured style, each with its own server. */
  readonly clients: readonly TitledClient[];
  /** Whether no server has data that must not change. */
  readonly mayWrite: boolean;
  readonly isTarget: boolean;
}

export interface Measured {
  readonly stacks: readonly Stack[];
  readonly targets: readonly Target[];
  readonly areDisposable: boolean;
}

type ServiceFactory = (contract: Contract, settings?: undefined, other?: Contract) => Service;

async function factoryOf({ module, factory, otherContract }: ServiceSource): Promise<ServiceFactory> {
  const make = ((await import(module)) as Readonly<Record<string, ServiceFactory>>)[factory] as ServiceFactory;
  if (otherContract?.kind !== "image") return make;
  const other = contractFromImage(await readFile(otherContract.path));
  return (contract) => make(contract, undefined, other);
}

async function targetClient(contract: Contract, { stack, url, ca, tokenVariable }: Target): Promise<Client> {
  const connect = await loadConnect(stack);
  return bearerClient(await connect(contract, { ...connectDefaults, url, ca }), tokenVariable);
}

/** Serves and connects. Adds what it opens to `closing`, which closes in reverse order. */
async function clientHere(
  { name, title }: Stack,
  service: Service,
  closing: AsyncDisposableStack,
): Promise<TitledClient> {
  const [serve, connect] = await Promise.all([loadServe(name), loadConnect(name)]);
  const server = await serve(service, { ...serveDefaults, shutdownGraceMs: 0 });
  closing.defer(() => server.close());
  const client = await connect(service.contract, { ...connectDefaults, url: server.url });
  closing.defer(() => client.close());
  return { title, client };
}

async function openRehearsal(
  contract: Contract,
  source: ServiceSource,
  { stacks, targets, areDisposable }: Measured,
): Promise<Rehearsal> {
  const mayWrite = targets.length === 0 || areDisposable;
  await using opening = new AsyncDisposableStack();
  const clients: TitledClient[] = [];
  for (const target of targets) {
    const client = await targetClient(contract, target);
    opening.defer(() => client.close());
    clients.push({ title: `${target.stack} at ${shownUrl(target.url)}`, client });
  }
  const here = stacks.filter(({ name }) => !targets.some(({ stack }) => stack === name));
  const [first] = clients;
  if (here.length === 0 && first !== undefined) {
    const closing = opening.move();
    return {
      open: () => first.client,
      clients,
      mayWrite,
      isTarget: true,
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  }
  const make = await factoryOf(source);
  for (const stack of here.filter(({ role }) => role === "style")) {
    clients.push(await clientHere(stack, make(contract), opening));
  }
  const { memoryClient } = await import("@roundtrip/fakes");
  const open = (): Client => {
    const service = make(contract);
    return memoryClient(() => service);
  };
  const closing = opening.move();
  return { open, clients, mayWrite, isTarget: false, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

export function unreachable(thrown: unknown, targets: readonly Target[]): unknown {
  const [target] = targets;
  if (!(thrown instanceof CallError) || target === undefined) return thrown;
  const why = `${thrown.code}: ${thrown.message.replaceAll("\n", " ")}`;
  return new CliError("unavailable", `${shownUrl(target.url)} does not answer over ${target.stack}: ${why}`, {
    cause: thrown,
  });
}
