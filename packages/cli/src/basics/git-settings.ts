// Settings under which git runs no program that a repository itself names: its `.git/config` may come from a stranger, with an unpacked archive. What the
// user and the machine have configured still applies, such as the filters of Git LFS.

/** Settings that name a program, or say which programs may be named. Git writes sections and names in lower case. */
const programs = new RegExp(
  [
    String.raw`^core\.(?:alternaterefscommand|askpass|editor|fsmonitor|gitproxy|hookspath|pager|sshcommand)$`,
    String.raw`^(?:credential|gpg)\.(?:.*\.)?(?:helper|program|defaultkeycommand)$`,
    String.raw`^diff\.(?:external|.*\.(?:command|textconv))$`,
    String.raw`^filter\..*\.(?:clean|smudge|process|required)$`,
    String.raw`^lfs\.(?:standalonetransferagent|(?:.*\.)?(?:customtransfer|extension)\..*)$`,
    String.raw`^(?:merge|remote)\..*\.(?:driver|proxy|receivepack|uploadpack|vcs)$`,
    String.raw`^(?:protocol\..*|uploadpack\.packobjectshook)$`,
  ].join("|"),
  "s",
);

/** What git does without the setting; empty is no program. */
const withoutProgram: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/^core\.sshcommand$/, "ssh"],
  [/\.receivepack$/, "git-receive-pack"],
  [/\.uploadpack$/, "git-upload-pack"],
  [/^filter\..*\.required$/s, "false"],
  [/^protocol\./, "never"],
];

/** For every repository: no hooks, which are for the user's own work trees, no daemon that watches files, and no check of signatures. */
const always: readonly (readonly [name: string, value: string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["log.showSignature", "false"],
];

/** The settings of a repository alone. */
const ownScopes: ReadonlySet<string> = new Set(["local", "worktree"]);

/** The arguments that list the names of all settings, with where each is set. */
export const listSettings = ["config", "--list", "--name-only", "--show-scope", "-z"] as const;

function replaced(listed: string): readonly (readonly [name: string, value: string])[] {
  const words = listed.split("\0");
  const names = words.filter((_, index) => index % 2 === 1 && ownScopes.has(words[index - 1] ?? ""));
  return [...new Set(names)]
    .filter((name) => programs.test(name))
    .map((name) => [name, withoutProgram.find(([pattern]) => pattern.test(name))?.[1] ?? ""]);
}

/** The environment for git. @param listed what {@link listSettings} prints in the repository; empty before that is known */
export function gitEnvironment(listed = ""): NodeJS.ProcessEnv {
  // After those that the user's own environment sets.
  const from = Number(process.env["GIT_CONFIG_COUNT"] ?? 0);
  const settings = [...replaced(listed), ...always];
  const numbered = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${from + index}`, name],
    [`GIT_CONFIG_VALUE_${from + index}`, value],
  ]);
  return {
    ...process.env,
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_CONFIG_COUNT: String(from + settings.length),
    ...Object.fromEntries(numbered),
  };
}
