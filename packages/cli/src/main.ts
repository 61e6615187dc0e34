// The entry point, started by bin/roundtrip.js. Guards the terminal and handles signals before it loads anything else.
import { endWithBlockedThreads, handleSignals } from "./basics/interruption.ts";
import { guardTerminal } from "./output/terminal.ts";

for (const stream of [process.stdout, process.stderr]) guardTerminal(stream);
endWithBlockedThreads();
handleSignals();
const [{ runProgram }, { makeProgram }] = await Promise.all([
  import("./run-program.ts"),
  import("./program/program.ts"),
]);
await runProgram(process.argv, makeProgram);
