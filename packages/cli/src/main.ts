// The program: it handles signals before it loads anything else. bin/roundtrip.js starts it.
import { handleSignals } from "./basics/interruption.ts";

handleSignals();
const { runProgram } = await import("./run-program.ts");
await runProgram(process.argv);
