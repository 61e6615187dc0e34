// The public API of the changes package. Help and shell completion load `@roundtrip/changes/names` instead, which loads no judge.
export { checkContracts, type CheckedChange, loadJudge, type StyleJudge } from "./check-contracts.ts";
export { changeVerdicts, type ChangeVerdict, type Judgement } from "./judgement.ts";
