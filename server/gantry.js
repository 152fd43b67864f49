// Plain JavaScript, so that any Node can read it and say what is missing.
const needed = 24
if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(
    `Gantry needs Node ${needed}, and this is ${process.version}. "npm ci" brings one along for most platforms, and "npm start" then uses it; elsewhere install Node ${needed} first.`,
  )
  process.exit(1)
}
const { enableCompileCache } = await import('node:module')
enableCompileCache()
if (process.argv[2] === 'bundle') await (await import('./bundle/build-bundle.ts')).buildBundle()
else {
  // A worker runs what the first process runs, without comparing a thousand sources with the bundle again.
  const { default: cluster } = await import('node:cluster')
  if (cluster.isPrimary)
    process.env.GANTRY_ENTRY = (await import('./bundle/find-bundle.ts')).findBundle() ?? './src/main.ts'
  await import(process.env.GANTRY_ENTRY)
}
