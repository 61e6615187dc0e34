// Finds a free port, for programs that need one as an argument.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A port that the kernel chooses on this address. Another program may take it before it is used. */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
