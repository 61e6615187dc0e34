// Serves a contract over gRPC on node:http2.
import { CallError } from "@roundtrip/contract";
import { ofCaller } from "@roundtrip/styles/grpc/server";
import { answerHeadersOnly, grpcBy, refusal } from "../../serve-grpc.ts";
import { ServedCall, type RequestLimits } from "./served-call.ts";

export const serve = grpcBy({
  attach(server, receive, { maxMessageBytes }) {
    const limits: RequestLimits = { sender: ofCaller, maxBytes: maxMessageBytes };
    server.on("stream", (stream, headers) => {
      receive(stream, headers, (method) => {
        try {
          new ServedCall(stream, headers, method, limits).begin();
        } catch (thrown) {
          answerHeadersOnly(stream, refusal(CallError.from(thrown)));
        }
      });
    });
  },
});
