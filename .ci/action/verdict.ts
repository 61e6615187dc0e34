// The action's last step. It fails if the verdict is FAIL, if it is inconclusive and the inputs refuse that, or if the comparison failed.
import { annotate, required, step, variable } from "./environment.ts";

const fine: readonly string[] = ["pass", "inconclusive"];

const faults: Readonly<Record<string, string>> = {
  "0": "compared and not judged: inputs base and head have to be git revisions, and these are run directories of different jobs",
  "1": "fail",
  "2": "inconclusive, and input strict asks for a verdict",
  "3": "base and head do not answer alike, so nothing was measured; if that is intended, name the task in answersMayDiffer of roundtrip.config.ts",
};

await step(() => {
  const status = required("COMPARISON_STATUS");
  const verdict = required("COMPARISON_VERDICT");
  const headline = variable("COMPARISON_HEADLINE");
  const withHeadline = (text: string): string => (headline === "" ? text : `${text}: ${headline}`);
  if (status === "0" && fine.includes(verdict)) {
    annotate("notice", withHeadline(verdict));
    return;
  }
  const unknown = `nothing could be compared: the program ended with status ${status}, and the log of its step says why`;
  annotate("error", ["1", "2"].includes(status) ? withHeadline(faults[status] ?? "") : (faults[status] ?? unknown));
  process.exitCode = 1;
});
