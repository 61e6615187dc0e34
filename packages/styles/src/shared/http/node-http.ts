// Node.js's own HTTP for servers. An `import` would also load Node.js's HTTP client, a lazy export: a tenth of a process's start time.
const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");

export { createServer, STATUS_CODES };
