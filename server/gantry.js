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
else if (process.argv[2] === 'web') await buildWebApp()
else {
  // A worker runs what the first process runs, without comparing a thousand sources with the bundle again.
  const { default: cluster } = await import('node:cluster')
  if (cluster.isPrimary)
    process.env.GANTRY_ENTRY = (await import('./bundle/find-bundle.ts')).findBundle() ?? './src/main.ts'
  await import(process.env.GANTRY_ENTRY)
}

/** Without its pages the service is of use, too: it starts even if they cannot be built. */
async function buildWebApp() {
  try {
    await (await import('../web/build.ts')).buildWebApp()
  } catch (error) {
    console.error('The web app could not be built; the service starts without it.', error)
  }
}
