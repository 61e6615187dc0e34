// The loopback link: one machine, no distance. Its round-trip time is measured, not assumed.
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { textOf } from "../../lifetime/session-processes.ts";
import { type LinkEnd, type LinkFacts, type LinkKind, directRoute } from "../link.ts";
import { settingsThatDiffer, settingWords } from "../../study/link-settings.ts";

const pings = 200;

async function medianRttMs(): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => void socket.pipe(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  try {
    await once(socket, "connect");
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

export async function measureLoopback(): Promise<LinkFacts> {
  return { kind: "loopback", rttMs: await medianRttMs(), mtuBytes: Number(textOf("/sys/class/net/lo/mtu")) };
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
