// Where calls are rehearsed before they are measured: in memory, on servers of this process that end before anything is measured, and on targets.
import { CallError, type Client, type Contract, type Service } from "@roundtrip/contract";
import type { Way } from "@roundtrip/bench/own-contract";
import { bearerClient, shownUrl, type ServiceSource, type Target } from "@roundtrip/runner";
import { connectDefaults, loadConnect, loadServe, serveDefaults, type Stack } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";

export interface RehearsalPlace extends AsyncDisposable {
  /** A client of a server as rounds begin with it; of the first target, where none is served here. */
  readonly open: () => Client;
  /** Every style that is measured, each with a server of its own. */
  readonly ways: readonly Way[];
  /** Whether none of them may have data that somebody needs. */
  readonly mayWrite: boolean;
  readonly isTarget: boolean;
}

/** What is measured. */
export interface Measured {
  readonly stacks: readonly Stack[];
  readonly targets: readonly Target[];
  /** Whether the targets' data may be overwritten. */
  readonly areDisposable: boolean;
}

type ServiceFactory = (contract: Contract) => Service;

async function factoryOf({ module, factory }: ServiceSource): Promise<ServiceFactory> {
  return ((await import(module)) as Readonly<Record<string, ServiceFactory>>)[factory] as ServiceFactory;
}

async function targetClient(contract: Contract, { stack, url, ca, tokenVariable }: Target): Promise<Client> {
  const connect = await loadConnect(stack);
  return bearerClient(await connect(contract, { ...connectDefaults, url, ca }), tokenVariable);
}

/** Serves and connects. What it opens is passed to `closing`, which closes the last first. */
async function wayHere({ name, title }: Stack, service: Service, closing: AsyncDisposableStack): Promise<Way> {
  const [serve, connect] = await Promise.all([loadServe(name), loadConnect(name)]);
  const server = await serve(service, { ...serveDefaults, shutdownGraceMs: 0 });
  closing.defer(() => server.close());
  const client = await connect(service.contract, { ...connectDefaults, url: server.url });
  closing.defer(() => client.close());
  return { title, client };
}

/** Opens the place. */
export async function rehearsalPlace(
  contract: Contract,
  source: ServiceSource,
  { stacks, targets, areDisposable }: Measured,
): Promise<RehearsalPlace> {
  const mayWrite = targets.length === 0 || areDisposable;
  await using opening = new AsyncDisposableStack();
  const ways: Way[] = [];
  for (const target of targets) {
    const client = await targetClient(contract, target);
    opening.defer(() => client.close());
    ways.push({ title: `${target.stack} at ${shownUrl(target.url)}`, client });
  }
  const here = stacks.filter(({ name }) => !targets.some(({ stack }) => stack === name));
  const [first] = ways;
  if (here.length === 0 && first !== undefined) {
    const closing = opening.move();
    return {
      open: () => first.client,
      ways,
      mayWrite,
      isTarget: true,
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  }
  const make = await factoryOf(source);
  for (const stack of here.filter(({ role }) => role !== "floor")) {
    ways.push(await wayHere(stack, make(contract), opening));
  }
  const { memoryClient } = await import("@roundtrip/fakes");
  const open = (): Client => {
    const service = make(contract);
    return memoryClient(() => service);
  };
  const closing = opening.move();
  return { open, ways, mayWrite, isTarget: false, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** The error about a target that does not answer. */
export function unreachable(thrown: unknown, targets: readonly Target[]): unknown {
  const [target] = targets;
  if (!(thrown instanceof CallError) || target === undefined) return thrown;
  const why = `${thrown.code}: ${thrown.message.replaceAll("\n", " ")}`;
  return new CliError("unavailable", `${shownUrl(target.url)} does not answer over ${target.stack}: ${why}`, {
    cause: thrown,
  });
}
