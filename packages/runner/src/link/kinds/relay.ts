// The relay link: a process between client and server that forwards data half a round trip later. It needs no rights and runs everywhere. The TCP of
// both ends sees no distance, so the relay supports only what does not depend on that.
import { extname, join } from "node:path";
import { RunnerError } from "../../basics/runner-error.ts";
import { Child } from "../../processes/child.ts";
import type { Link, LinkEnd, LinkFacts, LinkKind, LinkRoute } from "../link.ts";
import { settingsThatDiffer, settingWords, type LinkSettings } from "../../study/link-settings.ts";
import { openWithin } from "../check.ts";

const file = join(import.meta.dirname, "..", `relay-process${extname(import.meta.filename)}`);
const end: LinkEnd = { host: "127.0.0.1", commandPrefix: [] };

/** Aborts when the relay ends before it is closed. */
function lossOf(child: Child, isClosing: () => boolean): AbortSignal {
  const lost = new AbortController();
  const watch = async (): Promise<void> => {
    const { message } = await child.gone;
    if (!isClosing()) lost.abort(new RunnerError("link-lost", message));
  };
  void watch();
  return lost.signal;
}

/** A relay that is not checked yet. */
function start(settings: LinkSettings, emulatedMs: number): Link {
  const child = new Child({ file, commandPrefix: [], label: "relay" });
  let isClosing = false;
  const lost = lossOf(child, () => isClosing);
  const reach = async (url: string): Promise<LinkRoute> => {
    const address = new URL(url);
    const request = { ask: "open", host: end.host, port: Number(address.port), rttMs: emulatedMs } as const;
    const port = await child.ask<number>(request);
    // Only the port differs, because a certificate is valid for the host.
    address.port = String(port);
    const leave = async (): Promise<void> => {
      if (!lost.aborted) await child.ask<null>({ ask: "close", port });
    };
    return { url: address.href.replace(/\/$/, url.endsWith("/") ? "/" : ""), [Symbol.asyncDispose]: leave };
  };
  const close = async (): Promise<void> => {
    isClosing = true;
    await child.stop();
  };
  const facts: LinkFacts = { kind: "relay", rttMs: Number.NaN, mtuBytes: 0, limits: ["tcp-sees-no-distance"] };
  return { settings, facts, client: end, server: end, reach, lost, [Symbol.asyncDispose]: close };
}

export const kind: LinkKind = {
  name: "relay",
  order: 3,
  unavailable: () => Promise.resolve(undefined),
  lacks: () => Promise.resolve(undefined),
  refuses({ settings, needs }) {
    const unsupported = settings.flatMap(settingsThatDiffer).find((name) => name !== "rttMs");
    if (unsupported !== undefined)
      return `TCP sees nothing of a relay's distance, so no ${settingWords[unsupported]} can be set`;
    const [need] = needs;
    return need === undefined ? undefined : `it cannot show ${need}: that takes the kernel's own TCP over the distance`;
  },
  open: (settings, signal) =>
    openWithin(settings, (emulatedMs) => Promise.resolve(start(settings, emulatedMs)), signal),
};
