/** A piece of text with one look. */
export interface Run {
  text: string
  bold: boolean
  italic: boolean
  code: boolean
  link: string
}

/** A paragraph, a heading, an entry of a list and so on: what begins on a line of its own. */
export interface Block {
  kind: 'text' | 'heading' | 'item' | 'quote' | 'code' | 'row' | 'rule'
  /** The level of a heading, and how deep an entry lies in lists. */
  level: number
  runs: Run[]
}

interface State {
  blocks: Block[]
  block: Block
  lists: { ordered: boolean; next: number }[]
  depth: Record<'bold' | 'italic' | 'code' | 'pre' | 'quote', number>
  link: string
}

const newBlock = (kind: Block['kind'] = 'text', level = 0): Block => ({ kind, level, runs: [] })

/** Turns sanitised HTML into blocks. Its tags are balanced and its attributes contain no angle brackets. */
export function htmlBlocks(html: string): Block[] {
  const state: State = {
    blocks: [],
    block: newBlock(),
    lists: [],
    depth: { bold: 0, italic: 0, code: 0, pre: 0, quote: 0 },
    link: '',
  }
  for (const [, close, tag = '', attributes = '', text = ''] of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)([^>]*)>|([^<]+)/g,
  )) {
    if (tag !== '') readTag(state, tag, attributes, close === '/')
    else addText(state, decoded(text))
  }
  endBlock(state)
  return state.blocks
}

function readTag(state: State, tag: string, attributes: string, close: boolean): void {
  const { depth, lists } = state
  const looks = { b: 'bold', strong: 'bold', th: 'bold', i: 'italic', em: 'italic', code: 'code', kbd: 'code' } as const
  if (Object.hasOwn(looks, tag)) {
    const look = looks[tag as keyof typeof looks] // it is one of its keys
    depth[look] = Math.max(0, depth[look] + (close ? -1 : 1))
  }
  if (tag === 'a') state.link = close ? '' : decoded(/ href="([^"]*)"/.exec(attributes)?.[1] ?? '')
  if (tag === 'img' && !close) addText(state, `[${decoded(/ alt="([^"]*)"/.exec(attributes)?.[1] ?? '')}]`)
  if (tag === 'br') addRun(state, '\n')
  if ((tag === 'td' || tag === 'th') && close) addRun(state, '   ')
  if (!/^(p|div|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|pre|table|tr|caption|hr)$/.test(tag)) return
  endBlock(state)
  if (tag === 'pre') depth.pre = Math.max(0, depth.pre + (close ? -1 : 1))
  if (tag === 'blockquote') depth.quote = Math.max(0, depth.quote + (close ? -1 : 1))
  if (tag === 'ul' || tag === 'ol') {
    if (close) lists.pop()
    else lists.push({ ordered: tag === 'ol', next: Number(/ start="(\d{1,9})"/.exec(attributes)?.[1] ?? 1) })
  }
  if (tag === 'hr') state.blocks.push(newBlock('rule'))
  state.block = close ? blockHere(state) : opened(state, tag)
}

function opened(state: State, tag: string): Block {
  const { lists } = state
  const heading = /^h([1-6])$/.exec(tag)?.[1]
  if (heading) return newBlock('heading', Number(heading))
  if (tag === 'tr') return newBlock('row')
  const list = lists.at(-1)
  if (tag !== 'li' || !list) return blockHere(state)
  const mark = list.ordered ? `${list.next++}. ` : '• '
  return {
    kind: 'item',
    level: lists.length,
    runs: [{ text: mark, bold: false, italic: false, code: false, link: '' }],
  }
}

function blockHere({ depth, lists }: State): Block {
  if (depth.pre > 0) return newBlock('code', lists.length)
  return depth.quote > 0 ? newBlock('quote', lists.length) : newBlock('text', lists.length)
}

function endBlock(state: State): void {
  const { block } = state
  // The mark of an entry waits for its text, which may be in a paragraph of its own.
  const isMark = block.kind === 'item' && block.runs.length === 1
  if (block.runs.some(run => run.text.trim() !== '') && !isMark) state.blocks.push(block)
  if (isMark) state.block = { ...block, runs: [...block.runs] }
  else state.block = blockHere(state)
}

/** Outside of code, white space is a space, and none at the beginning of a block or between the cells of a row. */
function addText(state: State, text: string): void {
  const { depth, block } = state
  const isDropped = text.trim() === '' && (block.runs.length === 0 || block.kind === 'row')
  if (depth.pre > 0) addRun(state, text)
  else if (!isDropped) addRun(state, text.replace(/[ \t\r\n]+/g, ' '))
}

function addRun({ depth, block, link }: State, text: string): void {
  const code = depth.code > 0 || depth.pre > 0
  block.runs.push({ text, bold: depth.bold > 0, italic: depth.italic > 0, code, link })
}

/** Undoes the escaping of the sanitiser, `&` last. */
function decoded(text: string): string {
  return text
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
