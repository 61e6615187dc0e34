// Misuse: malformed bytes are refused as the style says, and the server continues to serve.
import { create } from "@bufbuild/protobuf";
import { misuseTitles, type Misuse } from "@roundtrip/styles";
import { answerFault } from "../../case/answer-text.ts";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { ConformanceService, EchoRequestSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { echoing } from "../../support/echo.ts";

const { echo } = ConformanceService.method;
const maxRequestBytes = 64 * 1024;

/** The cases RT-12xx, in the order of the misuses. */
export const misuseCases = casesIn(
  "misuse",
  ["server", "misuse"],
  Object.fromEntries(
    Object.entries(misuseTitles).map(([misuse, title], index) => [
      `RT-12${String(index + 1).padStart(2, "0")} ${title}: answered as the rules say, and the next call succeeds`,
      async (run: CaseRun) => {
        const { call, misuse: attempt } = await run.serveConformance(echoing, { maxRequestBytes });
        const request = create(EchoRequestSchema, { values: { scalars: { int32Value: 1, stringValue: "text" } } });
        const { answer, allowed } = await attempt(misuse as Misuse, echo, request);
        const fault = answerFault(answer, allowed);
        if (fault !== undefined) throw new Error(fault);
        await call(echo, { values: {} });
      },
    ]),
  ),
);
