// The kernel link: two network namespaces with the kernel's own TCP at both ends, and real distance between them.
import { RunnerError } from "../../runner-error.ts";
import type { Link, LinkEnd, LinkKind } from "../link.ts";
import type { LinkSettings } from "../link-settings.ts";
import { selfCheck } from "../self-check.ts";
import { netemScript } from "../kernel/netem.ts";
import { needsUserNamespace, openPrivateNamespaces, type NamespaceScript } from "../kernel/private-namespaces.ts";
import { rattanConfig } from "../kernel/rattan-config.ts";
import { setTcp } from "../kernel/tcp-settings.ts";
import { programPath, succeeds } from "../kernel/tools.ts";

/** Rattan's addresses of its two ends, used with netem alike; they exist in the namespaces of the link alone. */
const addresses = { left: "10.1.1.1", right: "10.2.1.1" } as const;

type Emulator = "netem" | "rattan";

const unshared = (): readonly string[] => [...(needsUserNamespace() ? ["--user", "--map-root-user"] : []), "--net"];

let foundEmulator: Promise<Emulator | undefined> | undefined;

/** Asked once: a kernel does not change under a run. */
function emulator(): Promise<Emulator | undefined> {
  foundEmulator ??= (async () => {
    const tries = [...unshared(), "tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"];
    if (await succeeds("unshare", tries)) return "netem";
    return programPath("rattan") === undefined ? undefined : "rattan";
  })();
  return foundEmulator;
}

async function unavailable(): Promise<string | undefined> {
  if (process.platform !== "linux") return "it needs Linux";
  const missing = [
    ["unshare", "util-linux"],
    ["nsenter", "util-linux"],
    ["ip", "iproute2"],
  ].find(([program = ""]) => programPath(program) === undefined);
  if (missing !== undefined) return `there is no ${missing[0]} (Debian: apt-get install ${missing[1]})`;
  if (!(await succeeds("unshare", [...unshared(), "true"]))) {
    return needsUserNamespace()
      ? "this user may not make network namespaces (run it as root, or allow user namespaces: sysctl kernel.unprivileged_userns_clone=1)"
      : "this machine lets nobody make network namespaces";
  }
  if ((await emulator()) === undefined) return "the kernel has no netem, and there is no rattan (cargo install rattan)";
  return undefined;
}

function scriptOf(kind: Emulator, settings: LinkSettings): NamespaceScript {
  if (kind === "netem") return netemScript(addresses.left, addresses.right, settings);
  const script = 'cat <&3 > /tmp/link.toml; "$1" run -c /tmp/link.toml >&2 &';
  return { script, args: [programPath("rattan") ?? "rattan"], input: rattanConfig(settings) };
}

async function open(settings: LinkSettings): Promise<Link> {
  const kind = await emulator();
  const why = await unavailable();
  if (kind === undefined || why !== undefined) {
    throw new RunnerError("link-unavailable", `there can be no kernel link here: ${why ?? "no emulator"}`);
  }
  const namespaces = await openPrivateNamespaces(scriptOf(kind, settings));
  const close = () => namespaces[Symbol.asyncDispose]();
  const client: LinkEnd = { host: addresses.left, enter: namespaces.left };
  const server: LinkEnd = { host: addresses.right, enter: namespaces.right };
  try {
    await setTcp(client.enter, server.host, settings);
    await setTcp(server.enter, client.host, settings);
    const facts = await selfCheck({ client, server }, settings, `kernel (${kind})`);
    return { settings, facts, client, server, [Symbol.asyncDispose]: close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

export const kind: LinkKind = {
  name: "kernel",
  title: "two network namespaces with the kernel's TCP, and distance between them",
  unavailable,
  refuses: () => undefined,
  open,
};
