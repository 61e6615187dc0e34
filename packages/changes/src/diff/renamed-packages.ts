// Which changes follow from a renamed package alone: each of its operations and types has a new full name.
import { type Contract, type Operation, methodPath } from "@roundtrip/contract";
import type { Change, TypeMoved } from "./change.ts";

/** A package that is gone, and the one that has its contents now. */
export interface PackageRenaming {
  readonly from: string;
  readonly to: string;
}

interface Names {
  readonly protoPackage: string;
  /** Inside of the package. */
  readonly name: string;
}

function within(protoPackage: string, fullName: string): Names {
  return { protoPackage, name: protoPackage === "" ? fullName : fullName.slice(protoPackage.length + 1) };
}

function ofOperation({ id, method }: Operation): Names {
  return within(method.parent.file.proto.package, id);
}

function ofType({ file, typeName }: TypeMoved["before"]): Names {
  return within(file.proto.package, typeName);
}

/** Undefined for what has a new name within its package as well. */
function renamingBetween(before: Names, after: Names): PackageRenaming | undefined {
  if (before.protoPackage === after.protoPackage || before.name !== after.name) return undefined;
  return { from: before.protoPackage, to: after.protoPackage };
}

function renamingIn(change: Change): PackageRenaming | undefined {
  switch (change.kind) {
    case "operation-moved":
      return renamingBetween(ofOperation(change.before), ofOperation(change.after));
    case "type-moved":
      return renamingBetween(ofType(change.before), ofType(change.after));
    case "type-removed":
      return change.replacement && renamingBetween(ofType(change.type), ofType(change.replacement));
    default:
      return undefined;
  }
}

function isSame(first: PackageRenaming, second: PackageRenaming | undefined): boolean {
  return first.from === second?.from && first.to === second.to;
}

/**
 * Finds renamed packages: nothing is left in them, and all their contents moved to one other package.
 * @returns a function that has the renaming that a change follows from; undefined for an independent change.
 */
export function renamedPackages(
  changes: readonly Change[],
  after: Contract,
): (change: Change) => PackageRenaming | undefined {
  const left = new Set([...after.registry.files].map(({ proto }) => proto.package));
  const byFrom = new Map<string, PackageRenaming | undefined>();
  for (const change of changes) {
    const renaming = renamingIn(change);
    if (renaming === undefined || left.has(renaming.from)) continue;
    const isOnly = !byFrom.has(renaming.from) || isSame(renaming, byFrom.get(renaming.from));
    byFrom.set(renaming.from, isOnly ? renaming : undefined);
  }
  const moved = new Map<Operation, PackageRenaming>();
  for (const change of changes) {
    const renaming = renamingIn(change);
    const known = renaming === undefined ? undefined : byFrom.get(renaming.from);
    if (change.kind === "operation-moved" && known !== undefined) moved.set(change.before, known);
  }
  return (change) => {
    if (change.kind === "binding-removed") {
      const { binding, operation } = change;
      return binding.path.source === methodPath(operation.method) ? moved.get(operation) : undefined;
    }
    const renaming = renamingIn(change);
    return renaming === undefined ? undefined : byFrom.get(renaming.from);
  };
}
