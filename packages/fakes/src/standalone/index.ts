// A fake that stands on its own, as the command line uses it: `@roundtrip/fakes/standalone`.
export { serveControl, type ControlOptions } from "./control/serve-control.ts";
export { standaloneFake, type FakeFiles, type FakePart, type StandaloneFake } from "./standalone-fake.ts";
