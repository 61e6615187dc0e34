// Kubernetes objects as the text that `kubectl apply` reads.
import { stringify } from "yaml";

/** @param title says what the objects are for, one sentence a line. */
export function yamlText(title: readonly string[], objects: readonly object[]): string {
  const head = title.map((line) => `# ${line}\n`).join("");
  // Lines are kept as they are, and objects that share a value are written out: people read this, and edit it.
  const documents = objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }));
  return `${head}${documents.join("---\n")}`;
}
