// Notices, and the bar of a lost network, lie above what the page has at its foot. The body names it, because a selector with `:has()` would let
// the browser compute the styles of the whole page again whenever an element comes or goes.

type Part = 'composer-closed' | 'composer' | 'bulk' | 'connection'

const there: Part[] = []

const tell = () => {
  document.body.dataset.foot = [...new Set(there)].join(' ')
}

/** A ref for an element at the foot of the page. */
export const atFoot = (part: Part) => () => {
  there.push(part)
  tell()
  return () => {
    there.splice(there.indexOf(part), 1)
    tell()
  }
}
