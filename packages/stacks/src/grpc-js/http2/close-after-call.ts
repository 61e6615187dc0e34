// A server that keeps no connection for a second call, as HTTP/2 says it: no new calls, those under way to their end, then goodbye.
import { constants, type ServerHttp2Session } from "node:http2";

/** GOAWAY with this last stream refuses nothing that is under way, and asks for nothing more (RFC 9113, section 6.8). */
const noMoreStreams = 2 ** 31 - 1;

/**
 * Tells the client with its first call that there is to be no other on this connection: it hears that before it has the answer. Calls
 * that are here by then are served too; one that is still on its way is refused before anything is done about it, and the client
 * makes it again on its next connection (https://github.com/grpc/proposal/blob/master/A6-client-retries.md#transparent-retries).
 */
export function closeAfterCall(session: ServerHttp2Session): void {
  let streams = 0;
  session.on("stream", (stream) => {
    streams += 1;
    stream.once("close", () => {
      streams -= 1;
      if (streams === 0) session.close();
    });
  });
  session.once("stream", () => session.goaway(constants.NGHTTP2_NO_ERROR, noMoreStreams));
}
