// Responses of Node.js's HTTP/2 compatibility layer whose unread bytes are limited.
import { Http2ServerResponse } from "node:http2";
import { countedBytes, noteUnread } from "../http2/unread-answers.ts";

type Written = (error?: Error | null) => void;

export class CountedResponse extends Http2ServerResponse {
  /** Connect's library writes each message with an encoding and a listener. */
  override write(chunk: string | Uint8Array, encoding?: unknown, onWritten?: unknown): boolean {
    const written = onWritten as Written;
    const { stream } = this;
    if (chunk.length < countedBytes) return super.write(chunk, encoding as BufferEncoding, written);
    noteUnread(stream, chunk.length);
    return super.write(chunk, encoding as BufferEncoding, (error?: Error | null) => {
      noteUnread(stream, 0);
      written(error);
    });
  }
}
