// What a user of an older Node.js reads than the packages run in. Plain JavaScript: such a Node.js may not read the sources.

/** As in the packages' `engines`. */
export const oldestNode = "22.19";

/**
 * One line, for a version such as `20.20.2`; undefined when it is new enough.
 *
 * @param {string} version
 * @returns {string | undefined}
 */
export function oldNodeFault(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `roundtrip requires Node.js ${oldestNode} or later, this is ${version}: npm install --save-dev node@24 brings one for npx and npm scripts`;
}
