// The action's third step: the comparison on the page of the run.
import { appendFileSync, readFileSync } from "node:fs";
import { required, step } from "./environment.ts";

await step(() => appendFileSync(required("GITHUB_STEP_SUMMARY"), readFileSync(required("COMPARISON_TEXT"))));
