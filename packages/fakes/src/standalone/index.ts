// A fake that runs on its own, for the command line: `@roundtrip/fakes/standalone`.
export { serveControl, type ControlOptions } from "./control/late-control.ts";
export type { FakeFiles } from "./applied-text.ts";
export { standaloneFake, type FakePart, type StandaloneFake } from "./standalone-fake.ts";
