// Finds a free port, for programs that need one as an argument.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that kernels give to outgoing connections: one of those could take the port before it is used. */
const ports = { from: 12_000, below: 32_000 };

/** Resolves to whether nothing listens there. Rejects for an address that this machine does not have. */
function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** A free port on this address, at random. Another program may take it before it is used. */
export async function freePort(host: string): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.below);
    // oxlint-disable-next-line no-await-in-loop -- until one is free
    if (await isFree(host, port)) return port;
  }
}
