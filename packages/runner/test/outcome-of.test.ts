// What a call that failed is counted as: a server is blamed for no connection that the client's own machine refused to begin.
import { CallError } from "@roundtrip/contract";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../src/measure/call-timer.ts";

const run = promisify(execFile);
const program = join(import.meta.dirname, "support/without-sockets-process.ts");

describe("the outcome of a call that failed", () => {
  it.each(["rest-express", "graphql-apollo", "grpc-js"])(
    "is NO_SOCKET over %s where the client's process may open no more files",
    async (stack) => {
      const limited = `ulimit -n 64; exec "$@"`;
      const { stdout } = await run("sh", ["-c", limited, "sh", process.execPath, program, stack]);
      expect(stdout).toBe("NO_SOCKET");
    },
  );

  it("is UNAVAILABLE where there is no server, and where a server says that it has no sockets", () => {
    const refused = "no answer from http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9";
    for (const message of [refused, "connect EMFILE 127.0.0.1:9"]) {
      expect(outcomeOf(new CallError("UNAVAILABLE", message))).toBe("UNAVAILABLE");
    }
  });

  it("is the canonical code otherwise, INTERNAL for other errors", () => {
    expect(outcomeOf(new CallError("NOT_FOUND", "no answer from x: connect EMFILE"))).toBe("NOT_FOUND");
    expect(outcomeOf(new Error("no answer from x: connect EMFILE"))).toBe("INTERNAL");
  });
});
