// `roundtrip serve`: the real service on every stack, until Ctrl-C.
import { realService } from "@roundtrip/service";
import { loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { loopbackCertificate } from "@roundtrip/stacks/certificate";
import { Argument, Command, Option } from "commander";
import { chosenStacks } from "../chosen-stacks.ts";
import { contractOption, jsonOption, tlsOption, wholeNumber } from "../options.ts";
import { loadContractFrom } from "../contract-source.ts";

interface ServeFlags {
  readonly contract?: string;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly json: boolean;
}

async function serve(names: readonly string[], flags: ServeFlags): Promise<void> {
  const stacks = await chosenStacks(names.length > 0 ? names : undefined);
  await using loaded = await loadContractFrom(flags.contract);
  const service = realService(loaded.contract);
  const certificate = flags.tls ? await loopbackCertificate() : undefined;
  const servers: { readonly name: string; readonly server: RunningServer }[] = [];
  try {
    for (const [index, { name }] of stacks.entries()) {
      const start = await loadServe(name);
      const port = flags.port === 0 ? 0 : flags.port + index;
      servers.push({
        name,
        server: await start(service, { ...serveDefaults, host: flags.host, port, tls: certificate }),
      });
    }
    const addresses = Object.fromEntries(servers.map(({ name, server }) => [name, server.url]));
    if (flags.json) process.stdout.write(`${JSON.stringify(addresses)}\n`);
    else {
      const width = Math.max(...Object.keys(addresses).map((name) => name.length));
      for (const [name, url] of Object.entries(addresses)) process.stdout.write(`${name.padEnd(width)}  ${url}\n`);
      process.stdout.write("Ctrl-C ends it.\n");
    }
    await new Promise<void>((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  } finally {
    await Promise.all(servers.map(({ server }) => server.close()));
  }
}

/** Makes the command. */
export function makeCommand(): Command {
  return new Command("serve")
    .description("serve the real service over every stack, and print the addresses")
    .addArgument(new Argument("[stacks...]", "which stacks").default([], "all"))
    .addOption(contractOption())
    .addOption(new Option("--host <host>", "interface to listen on").default(serveDefaults.host))
    .addOption(
      new Option("--port <number>", "port of the first stack, the others follow; 0 takes free ones")
        .argParser(wholeNumber(0, 65_535))
        .default(0),
    )
    .addOption(tlsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  $ roundtrip serve rest-express --port 8080\n  $ curl http://127.0.0.1:8080/v1/customers/1?readMask=name",
    )
    .action(serve);
}
