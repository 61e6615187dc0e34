// The environment of a run, without which its numbers are meaningless.
import type { Environment, TargetFacts } from "@roundtrip/runs";
import type { Stack } from "@roundtrip/stacks";
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import type { LinkFacts } from "../link/link.ts";
import type { ServiceSettings } from "../study/configuration.ts";
import { textOf } from "../lifetime/session-processes.ts";

/** @param dependants files of packages, of which one depends on it */
function versionOf(library: string, ...dependants: readonly string[]): string {
  for (const dependant of dependants) {
    try {
      const path = findPackageJSON(library, dependant);
      const { version } = JSON.parse(readFileSync(path ?? "", "utf8")) as { readonly version: string };
      return version;
    } catch {
      // Another depends on it.
    }
  }
  return "unknown";
}

export interface EnvironmentOptions {
  readonly stacks: readonly Stack[];
  readonly link: LinkFacts;
  readonly placement: string;
  readonly services: ServiceSettings;
  readonly targets?: readonly TargetFacts[];
  /** Libraries that make calls beside this project's clients. */
  readonly drivers?: readonly string[];
}

/** Describes this machine, the stacks' libraries, the default settings of stacks and services, and the targets. */
export function describeEnvironment({
  stacks,
  link,
  placement,
  services,
  targets = [],
  drivers = [],
}: EnvironmentOptions): Environment {
  const libraries = [...new Set(stacks.flatMap((stack) => stack.libraries))].toSorted();
  const stacksFile = import.meta.resolve("@roundtrip/stacks");
  // Some libraries of a stack are those of its style.
  const stylesFile = findPackageJSON("@roundtrip/styles", stacksFile) ?? stacksFile;
  return {
    runtime: `Node.js ${process.versions.node} (NODE_ENV=production)`,
    libraries: Object.fromEntries([
      ...libraries.map((name) => [name, versionOf(name, stacksFile, stylesFile)] as const),
      ...drivers.map((name) => [name, versionOf(name, import.meta.url)] as const),
    ]),
    cpuModel: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release()}`,
    congestionControl: textOf("/proc/sys/net/ipv4/tcp_congestion_control") || "unknown",
    link,
    placement,
    settings: {
      ...Object.fromEntries(
        stacks
          .filter(({ settings }) => settings.length > 0)
          .map((stack) => [
            stack.name,
            Object.fromEntries(stack.settings.map((setting) => [setting.name, setting.default])),
          ]),
      ),
      ...services,
    },
    ...(targets.length > 0 ? { targets } : {}),
  };
}
