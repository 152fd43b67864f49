import { useSyncExternalStore } from 'react'

const heights = { cosy: 36, compact: 28, touch: 76, group: 36, touchGroup: 44, head: 28 }
const narrow = '(max-width: 719px)'

function watch(changed: () => void): () => void {
  const media = matchMedia(narrow)
  const density = new MutationObserver(changed)
  media.addEventListener('change', changed)
  density.observe(document.documentElement, { attributeFilter: ['data-density'] })
  return () => {
    media.removeEventListener('change', changed)
    density.disconnect()
  }
}

const read = () =>
  matchMedia(narrow).matches ? 'touch' : document.documentElement.dataset.density === 'compact' ? 'compact' : 'cosy'

/** How high rows are. On phones titles have two lines, so that rows are measured. */
export function useRowHeight() {
  const look = useSyncExternalStore(watch, read)
  const group = look === 'touch' ? heights.touchGroup : heights.group
  const head = look === 'touch' ? 0 : heights.head
  return { isMeasured: look === 'touch', head, sizeOf: (isGroup: boolean) => (isGroup ? group : heights[look]) }
}
