// Step 3 of the action: writes the comparison to the page of the run.
import { appendFileSync, readFileSync } from "node:fs";
import { required, step } from "./environment.ts";

await step(() => appendFileSync(required("GITHUB_STEP_SUMMARY"), readFileSync(required("COMPARISON_TEXT"))));
