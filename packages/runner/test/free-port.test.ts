// Free ports are outside of those that outgoing connections get, and nothing listens on them.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../src/processes/free-port.ts";

async function listening(port: number): Promise<number> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

it("gives ports between 12,000 and 32,000 that are free", async () => {
  const ports = new Set<number>();
  for (let count = 0; count < 50; count += 1) ports.add(await freePort("127.0.0.1"));
  expect([...ports].every((port) => port >= 12_000 && port < 32_000)).toBe(true);
  // Not always the same one: programs that start at once would all take it.
  expect(ports.size).toBeGreaterThan(25);
  expect(await listening([...ports][0] as number)).toBeGreaterThan(0);
});
