// The public API of the changes package. Help and shell completion load `@roundtrip/changes/names` instead, which loads no judge.
export { checkContracts, type CheckedChange } from "./check-contracts.ts";
export { loadJudge, type StyleJudge } from "./judges.ts";
export { changeVerdicts, type ChangeVerdict, type Judgement } from "./judgement.ts";
