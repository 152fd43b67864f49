import { useLayoutEffect, useRef } from 'react'
import { sanitisedFragment } from './html.ts'
import { say } from './pictures/messages.ts'
import { fileIdIn, showLarge, thumbOf } from './pictures/pictures.ts'

/** A text of people, from HTML that the service has sanitised. */
export function Prose({ html, className = '' }: { html: string; className?: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const content = sanitisedFragment(html)
    for (const block of content.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6, td, th, blockquote'))
      block.setAttribute('dir', 'auto')
    for (const link of content.querySelectorAll('a')) openElsewhere(link)
    for (const picture of content.querySelectorAll('img')) showPicture(picture)
    for (const entry of content.querySelectorAll('li')) markTask(entry)
    markMentions(content)
    place.current?.replaceChildren(content)
  }, [html])
  return <div ref={place} className={`prose ${className}`} />
}

function openElsewhere(link: HTMLAnchorElement): void {
  const address = new URL(link.href || '/', location.href)
  if (address.origin !== location.origin) link.target = '_blank'
}

/** A picture of another server is not loaded, so that it does not learn who reads the text: its address is shown. */
function showPicture(picture: HTMLImageElement): void {
  const remote = picture.dataset.src
  if (!remote) {
    openLarge(picture)
    return
  }
  const link = document.createElement('a')
  link.href = remote
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow'
  link.textContent = picture.alt || remote
  picture.replaceWith(link)
}

/** A stored picture is loaded in the size of a text, and opens large. */
function openLarge(picture: HTMLImageElement): void {
  picture.loading = 'lazy'
  const fileId = fileIdIn(picture.getAttribute('src') ?? '')
  if (!fileId) return
  const whole = picture.src
  picture.src = thumbOf(fileId, 1024)
  picture.addEventListener('error', () => (picture.src = whole), { once: true })
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'prose-picture'
  button.setAttribute('aria-label', say.open(picture.alt))
  button.addEventListener('click', event => {
    event.stopPropagation() // a description that is clicked is edited
    showLarge({ fileId, name: picture.alt })
  })
  picture.replaceWith(button)
  button.append(picture)
}

/** `[ ] order it` in a list is a task. */
function markTask(entry: HTMLLIElement): void {
  const text = (entry.firstElementChild?.tagName === 'P' ? entry.firstElementChild : entry).firstChild
  const found = text instanceof Text && /^\[([ xX])\]\s/.exec(text.data)
  if (!found) return
  text.data = text.data.slice(found[0].length)
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.disabled = true
  box.checked = found[1] !== ' '
  box.setAttribute('aria-label', text.data)
  entry.classList.add('task')
  text.before(box)
}

/** `@[Ana Marković]` is a mention, except in code. */
function markMentions(content: DocumentFragment): void {
  const walk = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walk.nextNode()) {
    const node = walk.currentNode
    if (node instanceof Text && node.data.includes('@[') && !node.parentElement?.closest('code, pre')) texts.push(node)
  }
  for (const text of texts)
    text.replaceWith(
      ...text.data.split(/(@\[[^\]\n]{1,200}\])/).map(part => (part.startsWith('@[') ? mention(part) : part)),
    )
}

function mention(part: string): HTMLElement {
  const element = document.createElement('bdi')
  element.className = 'mention'
  element.textContent = `@${part.slice(2, -1)}`
  return element
}
