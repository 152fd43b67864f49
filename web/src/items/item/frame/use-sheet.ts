import { type RefObject, useLayoutEffect } from 'react'

/** A sheet lies over the whole page: it takes the focus, and what is behind it can neither be reached nor read. */
export function useSheet(place: RefObject<HTMLElement | null>, isSheet: boolean): void {
  useLayoutEffect(() => {
    const sheet = place.current
    if (!isSheet || !sheet) return
    const behind = [...document.querySelectorAll('.topbar'), ...siblingsUpTo(sheet, 'main')].filter(
      each => !each.hasAttribute('inert'),
    )
    for (const each of behind) each.toggleAttribute('inert', true)
    if (!sheet.contains(document.activeElement)) sheet.focus({ preventScroll: true })
    return () => {
      for (const each of behind) each.toggleAttribute('inert', false)
    }
  }, [place, isSheet])
}

/** Everything beside an element, and beside each element around it, within the one that the selector names. */
function siblingsUpTo(element: Element, selector: string): Element[] {
  const parent = element.parentElement
  if (!parent) return []
  const beside = [...parent.children].filter(each => each !== element)
  return parent.matches(selector) ? beside : [...beside, ...siblingsUpTo(parent, selector)]
}
