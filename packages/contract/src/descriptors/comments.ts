// The comments of a contract, by the element that they describe. Generated documents use them as descriptions.
import type { DescFile } from "@bufbuild/protobuf";
import { fileOf, pathOf, type ContractElement } from "./source-position.ts";

const byFile = new WeakMap<DescFile, ReadonlyMap<string, string>>();

function commentsOf(file: DescFile): ReadonlyMap<string, string> {
  const known = byFile.get(file);
  if (known !== undefined) return known;
  const comments = new Map<string, string>();
  for (const { path, leadingComments } of file.proto.sourceCodeInfo?.location ?? []) {
    if (leadingComments !== "") comments.set(path.join("."), leadingComments.replaceAll(/^ /gm, "").trim());
  }
  byFile.set(file, comments);
  return comments;
}

/** The comment above an element, without comment marks; empty without one, or when the image was built without source info. */
export function commentAbove(desc: ContractElement): string {
  return commentsOf(fileOf(desc)).get(pathOf(desc).join(".")) ?? "";
}
