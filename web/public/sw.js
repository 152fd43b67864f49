// Opens the app without a network: the page and its files as they were last. The network comes first, and the API is never kept.

const shelf = 'gantry-shell'
const shell = '/'
const notOurs =
  /^\/(api|oauth|sign-in|signed-in|sign-out|docs|openapi|invitation|healthz|readyz|metrics|mcp|scim|\.well-known)(\/|$)/

self.addEventListener('install', event => event.waitUntil(keepShell().then(() => self.skipWaiting())))
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))

// The page names the files that it has loaded before this worker was there.
self.addEventListener('message', event => event.waitUntil(keepFiles(event.data)))

self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && !notOurs.test(pathname)) event.respondWith(networkFirst(request, shell))
  else if (pathname.startsWith('/assets/') || pathname === '/theme.js')
    event.respondWith(networkFirst(request, pathname))
})

async function networkFirst(request, key) {
  const cache = await caches.open(shelf)
  try {
    const response = await fetch(request)
    if (response.ok && !response.redirected) await cache.put(key, response.clone())
    return response
  } catch (error) {
    const kept = await cache.match(key)
    if (kept) return kept
    throw error
  }
}

async function keepShell() {
  const cache = await caches.open(shelf)
  await cache.add(shell)
}

async function keepFiles(files) {
  const cache = await caches.open(shelf)
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  await Promise.all(files.filter(file => !kept.has(file)).map(file => cache.add(file).catch(() => undefined)))
}
