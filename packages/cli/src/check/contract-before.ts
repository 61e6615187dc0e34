// The contract that another one is held against: at a path, or at a git revision.
import { stat } from "node:fs/promises";
import { sep } from "node:path";
import type { Contract } from "@roundtrip/contract";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { CliError } from "../basics/cli-error.ts";
import { loadContractFrom, type ContractFlags } from "../contract/contract-source.ts";
import { pathsAtRevision } from "./git-revision.ts";

/** The same fault, with the side that has it in front, and the user's words for files that only we see. */
function onSide(thrown: unknown, against: string, tree: string | undefined): unknown {
  if (!(thrown instanceof CliError)) return thrown;
  const seen = tree === undefined ? thrown.message : thrown.message.replaceAll(`${tree}${sep}`, `${against}:`);
  return new CliError(thrown.code, `before (--against ${against}): ${seen}`, { cause: thrown });
}

async function atRevision(path: string, revision: string, flags: ContractFlags): Promise<Contract> {
  using folder = temporaryFolder("revision");
  const others = [...(flags.protoPath ?? []), ...(flags.httpRules === undefined ? [] : [flags.httpRules])];
  const { paths, tree } = await pathsAtRevision(path, others, revision, folder.path);
  const past = (one: string): string => paths.get(one) ?? one;
  try {
    await using loaded = await loadContractFrom(past(path), {
      ...(flags.protoPath === undefined ? {} : { protoPath: flags.protoPath.map(past) }),
      ...(flags.httpRules === undefined ? {} : { httpRules: past(flags.httpRules) }),
    });
    return loaded.contract;
  } catch (thrown) {
    throw onSide(thrown, revision, tree);
  }
}

/**
 * Loads the contract that `against` names: what is at that path, or else the contract's own path as of that git revision.
 * @param path of the contract now; undefined for one that has no path.
 */
export async function contractBefore(
  against: string,
  path: string | undefined,
  flags: ContractFlags,
): Promise<Contract> {
  const isPath = await stat(against).then(
    () => true,
    () => false,
  );
  if (!isPath) {
    if (path === undefined) {
      throw new CliError(
        "usage",
        `--against ${against}: say with --contract which folder is meant; there is no folder proto here`,
      );
    }
    return atRevision(path, against, flags);
  }
  try {
    await using loaded = await loadContractFrom(against, flags);
    return loaded.contract;
  } catch (thrown) {
    throw onSide(thrown, against, undefined);
  }
}
