// The action of `roundtrip fake`: serves a fake over every style and applies changed files, until interrupted.
import type { Contract } from "@roundtrip/contract";
import { clientSettings, connectStack, fakeDefaults, fakeStackNames, serveFake } from "@roundtrip/fakes";
import { serveControl, standaloneFake } from "@roundtrip/fakes/standalone";
import { loadStack, serveDefaults, type ServeOptions, type Stack } from "@roundtrip/stacks";
import { once } from "node:events";
import { flushCompileCache } from "node:module";
import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { setImmediate as turn } from "node:timers/promises";
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
import { CliError, exitStatus } from "../basics/cli-error.ts";
import { detach, interruptible } from "../basics/interruption.ts";
import {
  type FakeFlags,
  printApplied,
  printEnd,
  printFault,
  printMistakes,
  printServerLeftOut,
} from "../fake/fake-words.ts";
import type { ContractOfFake } from "../contract/contract-source.ts";
import { followFiles, readFiles } from "../fake/watched-files.ts";
import { checkFallbackFlags, fallbackService } from "../fake/fallback-service.ts";
import { knownSettings, servedSettings } from "../stacks/known-settings.ts";
import { applyToAllServers, type FakedStack, fakeServers, portCount } from "../fake/served-fake.ts";

const namedOrigins: ReadonlySet<string> = new Set(["loopback", "*"]);

function originOf(text: string): string {
  if (namedOrigins.has(text)) return text;
  const { origin, href } = URL.parse(text) ?? {};
  if (origin !== undefined && /^https?:/.test(origin) && href === `${origin}/`) return origin;
  throw new CliError(
    "usage",
    `--allow-origin ${text}: give an origin such as https://app.example, loopback, * or none`,
  );
}

/** Pages of this machine by default. Throws a usage error for an invalid origin. */
function allowedOrigins(typed: readonly string[] | undefined): readonly string[] {
  if (typed === undefined) return ["loopback"];
  if (!typed.includes("none")) return typed.map(originOf);
  if (typed.length > 1) throw new CliError("usage", "--allow-origin none leaves no other origin");
  return [];
}

/** The selected stacks and Connect for browsers; by default one of every style. */
async function stacksToServe(flags: StackFlags): Promise<readonly Stack[]> {
  const stacks = await chosenStacks(flags, await fakeStackNames());
  const hasConnect = stacks.some(({ name }) => name === connectStack);
  return hasConnect ? stacks : [...stacks, await loadStack(connectStack)];
}

/** Frees what the start has left, a twentieth of the program's memory: Node.js would keep it, because a fake that waits allocates nothing. */
function collectGarbage(): void {
  v8.setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as NonNullable<typeof gc>;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

/** @param reading its contract */
export async function fake(
  names: readonly string[],
  flags: FakeFlags,
  reading: Promise<ContractOfFake>,
): Promise<void> {
  if (flags.detached) detach();
  const selected = withArguments(names, flags);
  const stacks = await stacksToServe(selected);
  const ports = portCount(stacks, flags.ownPorts);
  requirePorts(flags.port, ports, "servers");
  const origins = allowedOrigins(flags.allowOrigin);
  checkFallbackFlags(flags);
  const levels = knownSettings(flags.set, stacks, "served", []);
  const faked = (stack: Stack): FakedStack => ({ stack, served: servedSettings(stack, levels) });
  const start = await readFiles(reading, flags);
  const fallback = await fallbackService(start.files.contract, flags);
  const seed = flags.seed ?? fakeDefaults.seed;
  const { answer: behind, forward } = fallback;
  const standalone = standaloneFake(start.files, { seed, behind, forward, wholeUpdates: flags.wholeUpdates });
  const certificate = await keptCertificate(flags, [...(flags.contract ?? []), flags.stubs, flags.faults]);
  const options = {
    ...serveDefaults,
    shutdownGraceMs: endGraceMs,
    host: flags.host,
    port: flags.port,
    tls: certificate,
    allowedOrigins: origins,
    examplesOf: async (contract: Contract) => (await import("@roundtrip/fakes/parts")).exampleRequests(contract, seed),
  } satisfies ServeOptions;
  await interruptible(
    () => undefined,
    async (signal) => {
      await using stack = new AsyncDisposableStack();
      stack.use(printInternalErrors());
      stack.defer(async () => printEnd(await fallback.end(), flags));
      const onLeftOut = selected.stack === undefined ? printServerLeftOut : undefined;
      const served = await serveFake(standalone.fake, fakeServers(stacks.map(faked), flags), options, onLeftOut);
      stack.defer(() => served.close());
      const control = await serveControl(standalone, {
        urls: served.urls,
        settingsOf: (name) => clientSettings(name, served),
        ca: certificate?.ca,
        port: flags.port === 0 ? 0 : flags.port + ports - 1,
        shared: served.shared,
      });
      served.shared?.begin();
      // At the same time as the servers: each waits for its own calls, and the page calls the servers.
      stack.defer(async () => void (await Promise.all([control.close(), served.close()])));
      printMistakes(standalone.fake.log, flags);
      const following = followFiles({
        flags,
        start,
        followsContract: fallback.followsContract,
        contract: () => standalone.fake.contract,
        take: async (change) => {
          printApplied(await applyToAllServers(change, standalone, served), flags);
        },
        onFault: (thrown) => standalone.report(printFault(thrown)),
      });
      stack.use(following);
      if (signal.aborted) {
        // No address has been printed.
        process.exitCode = exitStatus.interrupted;
        return;
      }
      printAddresses(
        [
          ...(served.shared === undefined ? [] : [["fake", served.shared.url] as const]),
          ...Object.entries(served.urls),
          ["page", control.url],
        ],
        flags,
        [ignoredRules(standalone.fake.contract), ...start.warnings.map((text) => `${text}\n`)].join(""),
      );
      // In idle time: nobody waits for it, and a first request does not.
      await turn();
      // Compiled code is written here for a fake that is killed, too; and what is loaded next takes the memory that held it.
      flushCompileCache();
      await served.start("usual", signal);
      const { warmUp } = await import("@roundtrip/fakes/parts");
      await warmUp(standalone.fake.contract, seed, signal);
      if (signal.aborted) return;
      flushCompileCache();
      collectGarbage();
      // Its first step may have been longer than a signal takes.
      if (!signal.aborted) await once(signal, "abort");
    },
  );
}
