// Finds a browser based on Chromium: a pure function of the machine's variables and files.
import { posix, win32 } from "node:path";

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly isFile: (path: string) => boolean;
  /** Names in a directory; empty if it is missing. */
  readonly list: (directory: string) => readonly string[];
}

/** Program names on Debian, Ubuntu, Fedora and Windows, and those of Google and Microsoft. */
const programs = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "microsoft-edge-stable",
  "microsoft-edge",
  "msedge",
];

/** Paths of installed applications on macOS and Windows, which are not on the PATH. */
const applications = [
  ["Chromium", ["Chromium", "Application", "chrome.exe"]],
  ["Google Chrome", ["Google", "Chrome", "Application", "chrome.exe"]],
  ["Microsoft Edge", ["Microsoft", "Edge", "Application", "msedge.exe"]],
] as const;

function onPath({ platform, env }: Machine): readonly string[] {
  const path = platform === "win32" ? win32 : posix;
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const suffix = platform === "win32" ? ".exe" : "";
  return programs.flatMap((program) => folders.map((folder) => path.join(folder, `${program}${suffix}`)));
}

function installed({ platform, env, home }: Machine): readonly string[] {
  if (platform === "darwin") {
    return ["/Applications", posix.join(home, "Applications")].flatMap((folder) =>
      applications.map(([name]) => posix.join(folder, `${name}.app`, "Contents", "MacOS", name)),
    );
  }
  if (platform === "win32") {
    const folders = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((name) => env[name] ?? []);
    return applications.flatMap(([, path]) => folders.map((folder) => win32.join(folder, ...path)));
  }
  return ["/opt/google/chrome/chrome", "/opt/microsoft/msedge/msedge", "/snap/bin/chromium"];
}

/** Playwright's directory of downloaded browsers. */
function playwrightCache({ platform, env, home }: Machine): string {
  const own = env["PLAYWRIGHT_BROWSERS_PATH"];
  if (own !== undefined && own !== "" && own !== "0") return own;
  if (platform === "win32")
    return win32.join(env["LOCALAPPDATA"] ?? win32.join(home, "AppData", "Local"), "ms-playwright");
  if (platform === "darwin") return posix.join(home, "Library", "Caches", "ms-playwright");
  return posix.join(env["XDG_CACHE_HOME"] ?? posix.join(home, ".cache"), "ms-playwright");
}

/** Playwright's builds, the newest first, and full browsers before headless ones. Each has one folder, named after its platform. */
function fromPlaywright(machine: Machine): readonly string[] {
  const path = machine.platform === "win32" ? win32 : posix;
  const cache = playwrightCache(machine);
  const builds = machine
    .list(cache)
    .flatMap((name) => {
      const [, kind, build] = /^(chromium|chromium_headless_shell)-(\d+)$/.exec(name) ?? [];
      return kind === undefined ? [] : [{ name, kind, build: Number(build) }];
    })
    .toSorted((a, b) => a.kind.localeCompare(b.kind) || b.build - a.build);
  const executables = {
    win32: [["chrome.exe"], ["headless_shell.exe"], ["chrome-headless-shell.exe"]],
    darwin: [
      ...["Google Chrome for Testing", "Chromium"].map((name) => [`${name}.app`, "Contents", "MacOS", name]),
      ["headless_shell"],
      ["chrome-headless-shell"],
    ],
    linux: [["chrome"], ["headless_shell"], ["chrome-headless-shell"]],
  };
  const within =
    machine.platform === "win32" || machine.platform === "darwin" ? executables[machine.platform] : executables.linux;
  return builds.flatMap(({ name }) => {
    const folder = path.join(cache, name);
    return machine.list(folder).flatMap((inner) => within.map((executable) => path.join(folder, inner, ...executable)));
  });
}

/** The path of a browser: CHROMIUM_PATH, else one on the PATH, else installed, else Playwright's. Throws if CHROMIUM_PATH names no file. */
export function findBrowser(machine: Machine): string | undefined {
  const named = machine.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") {
    if (machine.isFile(named)) return named;
    throw new Error(`CHROMIUM_PATH names no file: ${named}; set it to the executable of a browser, or unset it`);
  }
  return [...onPath(machine), ...installed(machine), ...fromPlaywright(machine)].find((path) => machine.isFile(path));
}
