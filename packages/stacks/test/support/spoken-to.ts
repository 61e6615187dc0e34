// HTTP byte by byte: what comes back for requests that no client sends.
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { certificate } from "./pair.ts";

/** What a server said before it hung up. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes, given as Latin-1, and resolves to what has come back when the server hangs up. */
export async function spokenTo(url: string, bytes: string): Promise<RawAnswer> {
  const { port, hostname, protocol } = new URL(url);
  const to = { port: Number(port), host: hostname };
  const socket = protocol === "https:" ? connectTls({ ...to, ca: (await certificate).ca }) : connect(to);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1"))).on("error", () => {});
  socket.write(Buffer.from(bytes, "latin1"));
  await once(socket, "close");
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body };
}
