// Misuse: malformed bytes are refused as the rules say, and the server continues to serve.
import { create } from "@bufbuild/protobuf";
import { ConformanceService, EchoRequestSchema } from "../../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { casesIn } from "../../case.ts";
import { echoing } from "../../support/echo.ts";
import { expect } from "../../expectations.ts";
import { misuseRules, type Misuse, type RawAnswer } from "../../misuse.ts";

const { echo } = ConformanceService.method;
const maxRequestBytes = 64 * 1024;

function shown({ httpStatus, code }: RawAnswer): string {
  if (httpStatus === undefined) return "no answer";
  return code === undefined ? `HTTP ${httpStatus}` : `HTTP ${httpStatus} ${code}`;
}

/** In the order of ids: add a new misuse at the end. */
const misuses = Object.keys(misuseRules) as readonly Misuse[];

/** The cases RT-12xx. */
export const misuseCases = casesIn(
  "misuse",
  misuses.map((misuse, index) => {
    const { title, answers } = misuseRules[misuse];
    return {
      id: `RT-12${String(index + 1).padStart(2, "0")}`,
      level: "MUST",
      title: `${title}: answered as the rules say, and the next call succeeds`,
      needs: ["server", "misuse"],
      async run(run) {
        const { call, misuse: attempt } = await run.serveConformance(echoing, { maxRequestBytes });
        const request = create(EchoRequestSchema, { values: { scalars: { int32Value: 1, stringValue: "text" } } });
        const { protocol, answer } = await attempt(misuse, echo, request);
        const allowed = answers[protocol].map(shown);
        expect(allowed.includes(shown(answer)), `got ${shown(answer)}, expected ${allowed.join(" or ")}`);
        await call(echo, { values: {} });
      },
    };
  }),
);
