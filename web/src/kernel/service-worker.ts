import { serviceWorkerAddress } from './html.ts'

/** Lets the browser open the app without a network. Browsers allow it in secure contexts only. */
export async function openOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  await navigator.serviceWorker.register(serviceWorkerAddress()).catch(() => undefined)
  const { active } = await navigator.serviceWorker.ready
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  const files = loaded.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
  active?.postMessage(['/theme.js', ...files.map(({ pathname }) => pathname)])
}
