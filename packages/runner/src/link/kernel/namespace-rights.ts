// Why this machine does not allow namespaces, and the one command that allows them.
import { readFileSync } from "node:fs";

/** Kernel settings that forbid namespaces with one value and allow them with another. */
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
 * Why namespaces were refused, and what would help: the kernel settings that forbid them, otherwise the output of `unshare`. `isRoot` is true for a
 * user who needs no user namespace; `read` returns the value of a sysctl, undefined if the kernel does not have it.
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
