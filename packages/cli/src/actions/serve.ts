// The action of `roundtrip serve`: starts a server for each stack, and runs them until interrupted.
import { builtInContract, type Contract, type ExampleOf } from "@roundtrip/contract";
import { bearerAuthentication, realService, staticTokens } from "@roundtrip/service";
import { loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { once } from "node:events";
import { tokenIn } from "../targets/known-targets.ts";
import {
  endGraceMs,
  ignoredRules,
  keptCertificate,
  printAddresses,
  printInternalErrors,
  requirePorts,
} from "../serving/serving.ts";
import { chosenStacks, withArguments } from "../stacks/chosen-stacks.ts";
import type { StackFlags } from "../stacks/selected-stacks.ts";
import { loadContractFrom, type ContractFlags } from "../contract/contract-source.ts";
import { exitStatus } from "../basics/cli-error.ts";
import { detach, interruptible } from "../basics/interruption.ts";
import { knownSettings, servedSettings, settableServices } from "../stacks/known-settings.ts";
import type { TypedSetting } from "../options/key-values.ts";

interface ServeFlags extends ContractFlags, StackFlags {
  readonly set?: readonly TypedSetting[];
  readonly host: string;
  readonly port: number;
  readonly detached: boolean;
  readonly tls: boolean;
  readonly caOut?: string;
  readonly tokenEnv?: string;
  readonly json: boolean;
}

interface Served {
  readonly name: string;
  readonly server: RunningServer;
}

function notImplemented(contract: Contract): string {
  const implemented = new Set(builtInContract().operations.map(({ id }) => id));
  const others = contract.operations.filter(({ id }) => !implemented.has(id));
  const [first] = others;
  if (first === undefined) return "";
  const more = others.length === 1 ? "" : ` and ${others.length - 1} more`;
  return `No implementation here: ${first.id}${more}; it answers UNIMPLEMENTED. roundtrip fake makes answers up.\n`;
}

/** Example requests for pages. Loaded when a page is opened. */
async function examplesOf(contract: Contract): Promise<ExampleOf> {
  const { exampleRequests } = await import("@roundtrip/fakes/parts");
  return exampleRequests(contract);
}

export async function serve(names: readonly string[], flags: ServeFlags): Promise<void> {
  if (flags.detached) detach();
  const stacks = await chosenStacks(withArguments(names, flags));
  requirePorts(flags.port, stacks.length, "stacks");
  const levels = knownSettings(flags.set, stacks, "served");
  const settingsOf = new Map(stacks.map((stack) => [stack.name, servedSettings(stack, levels)]));
  const ofServices = settableServices.map((one) => [one.name, servedSettings(one, levels)] as const);
  await using loaded = await loadContractFrom(flags.contract);
  const real = realService(loaded.contract, Object.fromEntries(ofServices));
  const { tokenEnv } = flags;
  const service = tokenEnv === undefined ? real : bearerAuthentication(staticTokens([tokenIn(tokenEnv)]))(real);
  const certificate = await keptCertificate(flags, flags.contract ?? []);
  using printing = new DisposableStack();
  printing.use(printInternalErrors());
  await interruptible(
    () => undefined,
    async (signal) => {
      const servers: Served[] = [];
      try {
        for (const [index, { name }] of stacks.entries()) {
          if (signal.aborted) break;
          const start = await loadServe(name);
          const port = flags.port === 0 ? 0 : flags.port + index;
          const settings = settingsOf.get(name) ?? {};
          const options = {
            ...serveDefaults,
            shutdownGraceMs: endGraceMs,
            host: flags.host,
            port,
            settings,
            tls: certificate,
            examplesOf,
          };
          servers.push({ name, server: await start(service, options) });
        }
        if (signal.aborted) {
          // No address has been printed.
          process.exitCode = exitStatus.interrupted;
          return;
        }
        const addresses = servers.map(({ name, server }) => [name, server.url] as const);
        printAddresses(addresses, flags, ignoredRules(loaded.contract) + notImplemented(loaded.contract));
        await once(signal, "abort");
      } finally {
        await Promise.all(servers.map(({ server }) => server.close()));
        await real.close();
      }
    },
  );
}
