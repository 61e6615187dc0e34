// What this machine provides for kernel links: programs, namespaces, and a network emulator.
import { unshared, whyNoNamespaces } from "./namespaces.ts";
import { commandResult, programPath } from "./tools.ts";

export type Emulator = "netem" | "rattan";

const tools = ["ip", "tc", "unshare", "nsenter"];
/** Enlarges the socket buffers of rattan. */
const toolsOfRattan = ["perl"];

/** The missing programs, and the command that installs all of them in Debian and Ubuntu; undefined if none is missing. */
export function missingTools(
  wanted: readonly string[],
  isThere: (program: string) => boolean = (program) => programPath(program) !== undefined,
): string | undefined {
  const missing = wanted.filter((tool) => !isThere(tool));
  return missing.length === 0
    ? undefined
    : `there is no ${missing.join(" and no ")} (apt-get install iproute2 util-linux perl)`;
}

async function hasNetem(): Promise<boolean> {
  const { ok } = await commandResult([...unshared(), ..."tc qdisc add dev lo root netem delay 1ms".split(" ")]);
  return ok;
}

async function look(): Promise<{ readonly why: string } | { readonly emulator: Emulator }> {
  if (process.platform !== "linux") return { why: "it needs Linux" };
  const why = missingTools(tools) ?? (await whyNoNamespaces());
  if (why !== undefined) return { why };
  if (await hasNetem()) return { emulator: "netem" };
  if (programPath("rattan") === undefined) {
    return { why: "the kernel has no netem, and there is no rattan (cargo install rattan --locked)" };
  }
  const lacking = missingTools(toolsOfRattan);
  return lacking === undefined ? { emulator: "rattan" } : { why: lacking };
}

/** Cached, because the machine does not change during a run. */
let looked: ReturnType<typeof look> | undefined;

/** The emulator on this machine, netem before rattan; or why kernel links are impossible, and what would help. */
export function findEmulator(): ReturnType<typeof look> {
  looked ??= look();
  return looked;
}
