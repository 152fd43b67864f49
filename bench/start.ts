// `npm run bench` compares the service with the limits of the machine. With the name of a part, such as `--growth`, it runs
// that part instead; the head of each file and README.md describe what it measures.
const parts = [
  'growth',
  'insight',
  'sharing',
  'tenant',
  'engines',
  'clocks',
  'rules',
  'dry-run',
  'fair',
  'weight',
  'web',
]
const part = parts.find(each => process.argv.includes(`--${each}`)) ?? 'bench'
await import(`./${part}.ts`)
