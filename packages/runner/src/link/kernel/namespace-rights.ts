// What keeps this machine from making namespaces, and the one command that lets it.
import { readFileSync } from "node:fs";

/** Settings of the kernel that forbid namespaces where they have this value, and the value that allows them. */
const settings = [
  { name: "user.max_user_namespaces", forbids: "0", allows: "15000" },
  { name: "user.max_net_namespaces", forbids: "0", allows: "15000" },
  { name: "kernel.unprivileged_userns_clone", forbids: "0", allows: "1" },
  { name: "kernel.apparmor_restrict_unprivileged_userns", forbids: "1", allows: "0" },
] as const;

function valueOf(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name.replace(".", "/")}`, "utf8").trim();
  } catch {
    return undefined;
  }
}

/**
 * Why namespaces were refused, and what would help: the kernel's own settings where they forbid it, otherwise what `unshare` said. `isRoot` is
 * true for a user who needs no user namespace; `read` gives a sysctl's value, undefined if the kernel does not have it.
 */
export function whyRefused(
  output: string,
  isRoot: boolean,
  read: (name: string) => string | undefined = valueOf,
): string {
  const against = settings.filter(({ name, forbids }) => read(name) === forbids);
  const or = isRoot ? "" : "run it as root, or ";
  if (against.length > 0) {
    const values = against.map(({ name, forbids }) => `${name} is ${forbids}`).join(" and ");
    const command = `sudo sysctl -w ${against.map(({ name, allows }) => `${name}=${allows}`).join(" ")}`;
    return `namespaces are switched off: ${values} (${or}${command})`;
  }
  return `namespaces cannot be made: ${output} (${isRoot ? "a container has to be started with --privileged" : "run it as root"})`;
}
