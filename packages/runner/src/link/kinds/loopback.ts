// The loopback link: one machine, no distance. Its round-trip time is measured, not assumed.
import { connect, createServer } from "node:net";
import { readFileSync } from "node:fs";
import { type LinkEnd, type LinkFacts, type LinkKind, directRoute } from "../link.ts";
import { settingsThatDiffer, settingWords } from "../../study/link-settings.ts";

const pings = 200;

async function medianRttMs(): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => void socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  try {
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    const times: number[] = [];
    for (let ping = 0; ping < pings; ping += 1) {
      const sentAt = performance.now();
      const echoed = new Promise<void>((resolve) => socket.once("data", () => resolve()));
      socket.write("x");
      await echoed;
      times.push(performance.now() - sentAt);
    }
    return times.toSorted((a, b) => a - b)[pings / 2] ?? Number.NaN;
  } finally {
    socket.destroy();
    server.close();
  }
}

function mtuBytes(): number {
  try {
    return Number(readFileSync("/sys/class/net/lo/mtu", "utf8"));
  } catch {
    return 0;
  }
}

export async function measureLoopback(): Promise<LinkFacts> {
  return { kind: "loopback", rttMs: await medianRttMs(), mtuBytes: mtuBytes() };
}

const end: LinkEnd = { host: "127.0.0.1", commandPrefix: [] };

export const kind: LinkKind = {
  name: "loopback",
  order: 1,
  unavailable: () => Promise.resolve(undefined),
  lacks: () => Promise.resolve(undefined),
  refuses({ settings }) {
    const [unsupported] = settings.flatMap(settingsThatDiffer);
    return unsupported === undefined
      ? undefined
      : `no ${settingWords[unsupported]} can be set on the machine's own network`;
  },
  async open(settings) {
    const facts = await measureLoopback();
    const [client, server, lost] = [end, end, new AbortController().signal];
    return {
      settings,
      facts,
      client,
      server,
      reach: directRoute,
      lost,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
};
