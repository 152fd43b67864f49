/** Resolves when what was changed has been painted: a request that waits for it never delays what a person sees. */
export function painted(): Promise<void> {
  if (typeof document === 'undefined') return Promise.resolve() // nothing is painted outside of a page
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve()
    const go = () => {
      document.removeEventListener('visibilitychange', go)
      port2.postMessage(0)
    }
    // A page in the background is not painted.
    document.addEventListener('visibilitychange', go)
    if (document.hidden) go()
    else requestAnimationFrame(go)
  })
}
