// The earlier contract to compare with: at a path, or at a git revision.
import { stat } from "node:fs/promises";
import { sep } from "node:path";
import type { Contract } from "@roundtrip/contract";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { requireNoRevision } from "../basics/ambiguous-name.ts";
import { CliError } from "../basics/cli-error.ts";
import { loadContractFrom, type ContractFlags } from "../contract/contract-source.ts";
import { pathsAtRevision } from "./git-revision.ts";

/** The same fault, prefixed with its side, and with the user's names for temporary files. */
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

/** Loads the contract at the path `against`, or else the contract `path` at that git revision. Rejects with a usage error for neither, and for both. */
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
      throw new CliError("usage", `--against ${against}: name the folder with --contract; there is no ./proto folder`);
    }
    return atRevision(path, against, flags);
  }
  await requireNoRevision(against, "path");
  try {
    await using loaded = await loadContractFrom(against, flags);
    return loaded.contract;
  } catch (thrown) {
    throw onSide(thrown, against, undefined);
  }
}
