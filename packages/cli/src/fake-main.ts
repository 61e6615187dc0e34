// The entry point of the program `roundtrip-fake` in the package of fakes: `roundtrip fake` without the packages of other commands, as
// .ci/pack/bundle-command.ts bundles it.
import { endWithBlockedThreads, handleSignals } from "./basics/interruption.ts";
import { guardTerminal } from "./output/terminal.ts";

for (const stream of [process.stdout, process.stderr]) guardTerminal(stream);
endWithBlockedThreads();
handleSignals();
const [{ runProgram }, { prepare, version }, { makeCommand }] = await Promise.all([
  import("./run-program.ts"),
  import("./program/prepare.ts"),
  import("./commands/fake.ts"),
]);
await runProgram(process.argv, () =>
  prepare(makeCommand("roundtrip-fake"))
    .version(version, "-V, --version", "show the version")
    .option("--no-config", "ignore roundtrip.config.ts, which is code")
    .hook("preAction", async (command) => {
      const { applySettings } = await import("./program/apply-settings.ts");
      await applySettings(command, undefined, command.opts<{ readonly config: boolean }>().config);
    }),
);
