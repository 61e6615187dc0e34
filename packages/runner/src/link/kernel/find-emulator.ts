// What this machine can make a link of the kernel with: the programs of the system, namespaces, and an emulator of distance.
import { unshared, whyNoNamespaces } from "./private-namespaces.ts";
import { commandResult, programPath } from "./tools.ts";

export type Emulator = "netem" | "rattan";

/** The packages that the programs come with, as Debian and Ubuntu call them. */
const packageOf = {
  ip: "iproute2",
  tc: "iproute2",
  unshare: "util-linux",
  nsenter: "util-linux",
  perl: "perl",
} as const;

type Tool = keyof typeof packageOf;

const tools = ["ip", "tc", "unshare", "nsenter"] as const satisfies readonly Tool[];
/** Rattan's sockets are widened by it. */
const toolsOfRattan = ["perl"] as const satisfies readonly Tool[];

/** Which of these programs are missing, with the one command that brings them; undefined when all are there. */
export function missingTools(
  wanted: readonly Tool[],
  isThere: (program: string) => boolean = (program) => programPath(program) !== undefined,
): string | undefined {
  const missing = wanted.filter((tool) => !isThere(tool));
  if (missing.length === 0) return undefined;
  const packages = new Set(missing.map((tool) => packageOf[tool]));
  return `there is no ${missing.join(" and no ")} (apt-get install ${[...packages].join(" ")})`;
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

/** What a machine has does not change under a run: it is looked at once. */
let looked: ReturnType<typeof look> | undefined;

/** The emulator that this machine has, netem before rattan; or why there can be no link of the kernel, and what would help. */
export function findEmulator(): ReturnType<typeof look> {
  looked ??= look();
  return looked;
}
