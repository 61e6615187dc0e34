// The action's last step. It fails if the verdict is FAIL, if it is inconclusive and the inputs refuse that, or if the comparison failed.
import { annotate, required, step } from "./environment.ts";

/** The notice for a completed comparison, by its verdict. */
const fine: Readonly<Record<string, string>> = {
  pass: "pass: nothing costs more",
  inconclusive: "inconclusive: it is not clear whether something costs more",
};

const faults: Readonly<Record<string, string>> = {
  "0": "compared and not judged: inputs base and head have to be git revisions, and these are run directories of different jobs",
  "1": "fail: head costs more than base",
  "2": "inconclusive, and input strict asks for a verdict",
  "3": "base and head do not answer alike, so nothing was measured; if that is intended, name the task in answersMayDiffer of roundtrip.config.ts",
};

await step(() => {
  const status = required("COMPARISON_STATUS");
  const notice = fine[required("COMPARISON_VERDICT")];
  if (status === "0" && notice !== undefined) {
    annotate("notice", notice);
    return;
  }
  const unknown = `nothing could be compared: the program ended with status ${status}, and the log of its step says why`;
  annotate("error", faults[status] ?? unknown);
  process.exitCode = 1;
});
