// Node.js's own HTTP, for servers. An `import` reads every export, lazy ones included, and so loads an HTTP client that no server needs: a tenth of a
// process's start.
const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");

export { createServer, STATUS_CODES };
