// What servers of any language print when they listen, and the address in it.
import { describe, expect, it } from "vitest";
import { announcedUrl } from "../src/processes/server-readiness.ts";

describe("the address that a server prints", () => {
  it.each([
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["Listening on http://localhost:3000/ (Ctrl-C ends it)", "http://localhost:3000/"],
    ['INFO ready at "http://127.0.0.1:50051", 3 workers', "http://127.0.0.1:50051"],
    ["Now listening on: http://[::]:5000.", "http://[::1]:5000"],
    [" * Running on http://0.0.0.0:8000", "http://127.0.0.1:8000"],
    ["graphql: http://localhost:4000/graphql", "http://localhost:4000/graphql"],
    ['{"rest-express":"http://127.0.0.1:1","grpc-js":"http://127.0.0.1:2"}', "http://127.0.0.1:2"],
    ['{"level":"info","url":"http://127.0.0.1:9"}', "http://127.0.0.1:9"],
    ['{"msg":"up","address":"http://127.0.0.1:7"}', "http://127.0.0.1:7"],
  ])("is found in %s", (line, url) => {
    expect(announcedUrl(line, "grpc-js")).toBe(url);
  });

  it.each([
    ["otlp http://localhost:4318, serving http://localhost:7", "http://localhost:7"],
    ['{"url":"http://127.0.0.1:9"}', undefined],
    ['{"grpc-js":"http://127.0.0.1:9"}', "http://127.0.0.1:9"],
  ])("is at the port that the server was given, or named after its stack, in %s", (line, url) => {
    expect(announcedUrl(line, "grpc-js", "7")).toBe(url);
  });

  it.each(["", "ready", "docs: https://example.com/start", "http://", "http://192.0.2.1:80", "{", "port 8080"])(
    "is not in %j",
    (line) => {
      expect(announcedUrl(line, "grpc-js")).toBeUndefined();
    },
  );
});
