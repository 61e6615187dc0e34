// Imports the files in the arguments, and nothing else.
for (const file of process.argv.slice(2)) await import(file);
