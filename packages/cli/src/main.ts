// The entry point, started by bin/roundtrip.js. Handles signals before it loads anything else.
import { handleSignals } from "./basics/interruption.ts";

handleSignals();
const { runProgram } = await import("./run-program.ts");
await runProgram(process.argv);
