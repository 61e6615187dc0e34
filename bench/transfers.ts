// Incompressible streams of bytes, down and up, for several studies.
import { type Task, sequentialPlan } from "@roundtrip/runner";

const service = "roundtrip.v1.PayloadService";
const chunkBytes = 65_536;

/** A stream of this many bytes from the server. */
export function downloaded(sizeBytes: number): Task["variants"] {
  return {
    streamed: sequentialPlan({
      operation: `${service}.Download`,
      request: { sizeBytes, chunkBytes },
      needs: "serverStream",
    }),
  };
}

/** A stream of this many bytes to the server. */
export function uploaded(sizeBytes: number): Task["variants"] {
  return {
    streamed: sequentialPlan({
      operation: `${service}.Upload`,
      request: {},
      needs: "clientStream",
      source: { field: "data", sizeBytes, chunkBytes },
    }),
  };
}
