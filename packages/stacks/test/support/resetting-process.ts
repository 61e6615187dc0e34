// An HTTP/2 server that answers no call: it resets each with CANCEL as soon as its deadline has passed, as grpc-go does, or at once without one.
import { constants, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { timeoutMsIn } from "@roundtrip/styles/grpc/server";

const server = createServer((request, response) => {
  const timeout = request.headers["grpc-timeout"];
  const timeoutMs = typeof timeout === "string" ? (timeoutMsIn(timeout) ?? 0) : 0;
  const resetAtMs = performance.now() + timeoutMs;
  // A timer would be a millisecond late, and the caller's own would come first.
  setTimeout(
    () => {
      while (performance.now() < resetAtMs);
      response.stream.close(constants.NGHTTP2_CANCEL);
    },
    Math.max(timeoutMs - 3, 0),
  );
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
