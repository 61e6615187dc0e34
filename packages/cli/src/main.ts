// The program: it handles signals before it loads anything else. bin/roundtrip.js starts it.
import { keepCompiledCode } from "../bin/compile-cache.js";
import { handleSignals } from "./interruption.ts";

handleSignals();
// For those who start this file: bin/roundtrip.js has done so already.
keepCompiledCode();
const { runProgram } = await import("./run-program.ts");
await runProgram(process.argv);
