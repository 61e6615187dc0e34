// Answers over HTTP/1.1 that nobody reads: Node.js keeps them, and their connection, for as long as the caller stays.
import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Closes connections whose caller takes nothing of an answer for so long, or up to twice that: Node.js looks whether a connection that says nothing
 * has taken some of what is written since it looked last.
 */
export function closeUnread(server: Server, maxUnreadMs: number): void {
  const idleMs = server.keepAliveTimeout + server.keepAliveTimeoutBuffer;
  // While a request is under way this is a connection's time-out, and the other one in between: different values can be distinguished.
  const unreadMs = maxUnreadMs === idleMs ? maxUnreadMs + 1 : maxUnreadMs;
  server.setTimeout(unreadMs, (socket: Socket) => {
    const isIdle = socket.timeout !== unreadMs;
    // Otherwise it is the handler who takes its time, or the next message of a stream.
    if (isIdle || socket.writableLength > 0) socket.destroy();
  });
}
