// `npm run bench` compares with the limits of the machine; `npm run bench -- --growth` with the service itself, when it
// holds a hundred times as much.
await import(process.argv.includes('--growth') ? './growth.ts' : './bench.ts')
