// Where Node.js found the modules of this program when it last ran: searching folders and package.json files takes a third of a start. Plain JavaScript, as
// its users are: see roundtrip.js.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cacheFolder } from "./compile-cache.js";

/** A program that has loaded none of its modules for so long has started. */
const quietMs = 1_000;

/** What package managers write at each installation. */
const marks = [".modules.yaml", ".package-lock.json"];

/**
 * The nearest folder with an installation around this program, and what changes with the installation; undefined where its package manager leaves no
 * mark.
 */
function installation() {
  for (let folder = import.meta.dirname; dirname(folder) !== folder; folder = dirname(folder)) {
    for (const mark of marks) {
      const found = statSync(join(folder, "node_modules", mark), { throwIfNoEntry: false });
      if (found !== undefined) return { folder, key: `${process.version} ${found.mtimeMs}` };
    }
  }
  return undefined;
}

/** By the importing module, then by kind and specifier: the module's URL below the installation, and its format. */
function readKept(file, key) {
  try {
    const kept = JSON.parse(readFileSync(file, "utf8"));
    if (kept.key === key) return kept.found;
  } catch {
    // None is kept yet, or a program ended while it wrote.
  }
  return {};
}

/** Resolves modules of this program as when it last ran, and others as always. Modules of its users are not kept. */
function follow({ folder, key }, file) {
  const root = pathToFileURL(`${folder}/`).href;
  const own = new URL("../../", import.meta.url).href;
  const isKept = (url = "") => url.startsWith(root) && (url.startsWith(own) || url.includes("/node_modules/"));
  const found = readKept(file, key);
  let added = 0;
  let uses = 0;
  const keep = () => {
    if (added === 0) return;
    added = 0;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.${process.pid}`, JSON.stringify({ key, found }), { mode: 0o600 });
      renameSync(`${file}.${process.pid}`, file);
    } catch {
      // A full disk, or a home directory that cannot be written: Node.js searches each time.
    }
  };
  const hooks = nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const { parentURL, conditions } = context;
      // Contrary to its type, it is missing for `require`.
      /** @type {unknown} */
      const attributes = context.importAttributes;
      const isPlain = !specifier.startsWith("node:") && Object.keys(attributes ?? {}).length === 0;
      if (!isPlain || !isKept(parentURL)) return next(specifier, context);
      const parent = parentURL.slice(root.length);
      const name = `${conditions.includes("require") ? "require" : "import"}:${specifier}`;
      const [path, format] = found[parent]?.[name] ?? [];
      if (path !== undefined && existsSync(fileURLToPath(root + path))) {
        uses += 1;
        return { url: root + path, format, shortCircuit: true };
      }
      const resolved = next(specifier, context);
      if (isKept(resolved.url)) {
        const { url, format: known } = resolved;
        const below = url.slice(root.length);
        // Without a format, Node.js looks into the file for it.
        (found[parent] ??= {})[name] = typeof known === "string" ? [below, known] : [below];
        added += 1;
        uses += 1;
      }
      return resolved;
    },
  });
  process.on("exit", keep);
  // A server may be killed long after its start, and is not slowed down by this: libraries such as Apollo Server call `require` for each request.
  let usesBefore = 0;
  const looking = setInterval(() => {
    if (uses === usesBefore) {
      hooks.deregister();
      clearInterval(looking);
    }
    usesBefore = uses;
    keep();
  }, quietMs).unref();
}

export function keepResolutions() {
  const installed = installation();
  if (installed === undefined) return;
  try {
    const name = Buffer.from(installed.folder).toString("base64url");
    // The longest name of a file in most file systems, with the number of a process.
    if (name.length < 200) follow(installed, join(cacheFolder(), "resolutions", `${name}.json`));
  } catch {
    // A user without a home directory.
  }
}
