// A fake that runs on its own, for the command line: `@roundtrip/fakes/standalone`.
export { serveControl, type ControlOptions } from "./control/serve-control.ts";
export { standaloneFake, type FakeFiles, type FakePart, type StandaloneFake } from "./standalone-fake.ts";
