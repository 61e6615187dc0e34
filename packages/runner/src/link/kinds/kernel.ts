// The kernel link: two network namespaces with the kernel's own TCP at both ends, and an emulated distance between them.
import { RunnerError } from "../../basics/runner-error.ts";
import { leftOutReasonText } from "@roundtrip/runs";
import { type Link, type LinkEnd, type LinkFacts, type LinkKind, directRoute } from "../link.ts";
import type { LinkSettings } from "../../study/link-settings.ts";
import { openWithin } from "../check.ts";
import { findEmulator, type Emulator } from "../kernel/find-emulator.ts";
import { bufferBytes, enlargeSocketsScript, netemScript, paceLine, rattanConfig } from "../kernel/emulators.ts";
import { openPrivateNamespaces, type NamespaceScript } from "../kernel/namespaces.ts";
import { missingCongestionControl, setTcp } from "../kernel/tcp.ts";
import { programPath } from "../kernel/tools.ts";

/** The addresses that rattan gives its two ends, used with netem too. They exist only in the namespaces of the link. */
const addresses = { left: "10.1.1.1", right: "10.2.1.1" } as const;

// Rattan gets a high priority where that is allowed, because packets that wait for its processor are late or lost. It always keeps a file in /tmp, so
// it gets its own /tmp, which must not hide the program itself.
const rattanScript = `
touch /run/rattan; mount --bind "$1" /run/rattan; mount -t tmpfs none /tmp
cat <&3 > /run/link.toml; stay nice -n -20 /run/rattan run -c /run/link.toml
perl -e "$2" rattan 2 "$3" || : > /run/narrow`;

function scriptOf(emulator: Emulator, settings: LinkSettings): NamespaceScript {
  if (emulator === "netem") return netemScript(addresses.left, addresses.right, settings);
  return {
    script: rattanScript,
    args: [programPath("rattan") ?? "rattan", enlargeSocketsScript, String(bufferBytes)],
    input: rattanConfig(settings),
  };
}

function settingsAt(end: "client" | "server", settings: LinkSettings): LinkSettings {
  return settings.windowAt === "both" || settings.windowAt === end
    ? settings
    : { ...settings, receiveWindowBytes: undefined };
}

/** An open link that is not checked yet. */
async function raise(emulator: Emulator, settings: LinkSettings, emulatedMs: number): Promise<Link> {
  const namespaces = await openPrivateNamespaces(scriptOf(emulator, { ...settings, rttMs: emulatedMs }));
  const close = () => namespaces[Symbol.asyncDispose]();
  const client: LinkEnd = { host: addresses.left, commandPrefix: namespaces.left };
  const server: LinkEnd = { host: addresses.right, commandPrefix: namespaces.right };
  try {
    const clientTcp = await setTcp(client.commandPrefix, server.host, settingsAt("client", settings));
    const serverTcp = await setTcp(server.commandPrefix, client.host, settingsAt("server", settings));
    // Netem limits the bandwidth itself.
    if (emulator === "rattan") {
      await paceLine(client.commandPrefix, clientTcp.device, settings);
      await paceLine(server.commandPrefix, serverTcp.device, settings);
    }
    const hasSmallBuffers = namespaces.has("narrow") && settings.bandwidthMbps === undefined;
    const facts: LinkFacts = {
      kind: `kernel (${emulator})`,
      rttMs: Number.NaN,
      mtuBytes: clientTcp.mtuBytes,
      ...(hasSmallBuffers ? { limits: ["small-buffers"] } : {}),
    };
    const { lost } = namespaces;
    return { settings, facts, client, server, reach: directRoute, lost, [Symbol.asyncDispose]: close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function open(settings: LinkSettings, signal: AbortSignal): Promise<Link> {
  const found = await findEmulator();
  if ("why" in found) throw new RunnerError("link-unavailable", `there can be no kernel link here: ${found.why}`);
  const missing = await missingCongestionControl(settings);
  if (missing !== undefined) throw new RunnerError("link-unavailable", leftOutReasonText(missing));
  return openWithin(settings, (emulatedMs) => raise(found.emulator, settings, emulatedMs), signal);
}

export const kind: LinkKind = {
  name: "kernel",
  order: 2,
  async unavailable() {
    const found = await findEmulator();
    return "why" in found ? found.why : undefined;
  },
  refuses: () => undefined,
  lacks: missingCongestionControl,
  open,
};
