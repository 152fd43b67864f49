// `npm run bench` compares with the limits of the machine. With the name of a part behind it, the service is compared with
// itself; what each part asks stands at the head of its file, and in README.md.
const parts = ['growth', 'sharing', 'tenant', 'engines', 'clocks', 'rules']
const part = parts.find(each => process.argv.includes(`--${each}`)) ?? 'bench'
await import(`./${part}.ts`)
