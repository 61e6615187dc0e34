// A client of a server, by the name of the style: what a program says that switches styles.
import type { Client, Contract } from "@roundtrip/contract";
import { loadConnect } from "./registry.ts";
import { connectDefaults, type ConnectOptions } from "./basics/stack.ts";

/**
 * Connects to a server of a contract, with the library of this stack and no other's. Rejects with a StackError when there is no such stack.
 * @param given beside the address, what differs from the defaults.
 */
export async function connectTo(
  stack: string,
  contract: Contract,
  given: Pick<ConnectOptions, "url"> & Partial<ConnectOptions>,
): Promise<Client> {
  const connect = await loadConnect(stack);
  return connect(contract, { ...connectDefaults, ...given });
}
