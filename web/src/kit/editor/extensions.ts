import { type Editor, Extension, Node } from '@tiptap/core'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { Mention } from '@tiptap/extension-mention'
import { TableKit } from '@tiptap/extension-table'
import { Markdown } from '@tiptap/markdown'
import { PluginKey } from '@tiptap/pm/state'
import { StarterKit } from '@tiptap/starter-kit'
import { Suggestion, type SuggestionOptions } from '@tiptap/suggestion'
import type { EditorTexts, FindPeople, Snippet } from './editor-props.ts'
import { insertMarkdown } from './markdown.ts'
import type { Suggested } from './suggestion-menu.tsx'

/** A mention is stored as the service reads it: `@[Ana Marković]`. */
const Person = Mention.extend({
  markdownTokenizer: {
    name: 'mention',
    level: 'inline',
    start: source => source.indexOf('@['),
    tokenize: source => {
      const found = /^@\[([^\]\n]{1,200})\]/.exec(source)
      return found ? { type: 'mention', raw: found[0], label: found[1] } : undefined
    },
  },
  parseMarkdown: token => ({ type: 'mention', attrs: { id: null, label: token.label } }),
  renderMarkdown: node => `@[${node.attrs?.label ?? ''}]`,
})

const isOurs = (address: string) => address.startsWith('/api/file/')

/** A picture. Those of other servers are never loaded: their names are shown. */
const Picture = Node.create({
  name: 'image',
  group: 'inline',
  inline: true,
  draggable: true,
  addAttributes: () => ({ src: { default: '' }, alt: { default: '' } }),
  parseHTML: () => [{ tag: 'img[src^="/api/file/"]' }],
  renderHTML: ({ HTMLAttributes: { src, alt } }) =>
    isOurs(src) ? ['img', { src, alt }] : ['span', { class: 'mention', title: src }, alt || src],
  parseMarkdown: token => ({ type: 'image', attrs: { src: token.href, alt: token.text } }),
  renderMarkdown: node => `![${node.attrs?.alt ?? ''}](${node.attrs?.src ?? ''})`,
})

type Render = SuggestionOptions<Suggested>['render']

/** `/` at the start of a line offers blocks. */
const Blocks = (texts: EditorTexts, render: Render) =>
  Extension.create({
    name: 'blocks',
    addProseMirrorPlugins() {
      return [
        Suggestion<Suggested>({
          editor: this.editor,
          char: '/',
          startOfLine: true,
          pluginKey: new PluginKey('blocks'),
          items: ({ query }) => blocks(texts).filter(({ text }) => text.toLowerCase().includes(query.toLowerCase())),
          command: ({ editor, range, props }) => {
            editor.chain().focus().deleteRange(range).run()
            props.apply?.(editor)
          },
          ...(render ? { render } : {}),
        }),
      ]
    },
  })

const blocks = (texts: EditorTexts): Suggested[] => [
  { id: 'heading', text: texts.heading, apply: editor => editor.chain().focus().toggleHeading({ level: 2 }).run() },
  { id: 'list', text: texts.list, apply: editor => editor.chain().focus().toggleBulletList().run() },
  { id: 'numbers', text: texts.numbers, apply: editor => editor.chain().focus().toggleOrderedList().run() },
  { id: 'tasks', text: texts.tasks, apply: editor => editor.chain().focus().toggleTaskList().run() },
  { id: 'quote', text: texts.quote, apply: editor => editor.chain().focus().toggleBlockquote().run() },
  { id: 'code', text: texts.code, apply: editor => editor.chain().focus().toggleCodeBlock().run() },
  { id: 'table', text: texts.table, apply: editor => editor.chain().focus().insertTable({ rows: 3, cols: 3 }).run() },
  { id: 'line', text: texts.line, apply: editor => editor.chain().focus().setHorizontalRule().run() },
]

/** `::` offers texts that were written in advance. */
const Snippets = (find: Wiring['findSnippets'], render: Render) =>
  Extension.create({
    name: 'snippets',
    addProseMirrorPlugins() {
      return [
        Suggestion<Suggested>({
          editor: this.editor,
          char: '::',
          pluginKey: new PluginKey('snippets'),
          items: ({ query }) =>
            find(query)
              .slice(0, offered)
              .map(({ id, name, read }) => ({ id, text: name, apply: editor => void insertRead(editor, read) })),
          command: ({ editor, range, props }) => {
            editor.chain().focus().deleteRange(range).run()
            props.apply?.(editor)
          },
          ...(render ? { render } : {}),
        }),
      ]
    },
  })

async function insertRead(editor: Editor, read: Snippet['read']): Promise<void> {
  const text = await read()
  if (text && !editor.isDestroyed) insertMarkdown(editor, text)
}

interface Wiring {
  texts: EditorTexts
  findPeople: FindPeople
  findSnippets: (text: string) => readonly Snippet[]
  render: Render
  onSend: () => void
}

const offered = 8

export function extensionsOf({ texts, findPeople, findSnippets, render, onSend }: Wiring) {
  return [
    StarterKit.configure({ underline: false, link: { openOnClick: false, autolink: true } }),
    TaskList,
    TaskItem.configure({ nested: true }),
    TableKit.configure({ table: { resizable: false } }),
    Markdown,
    Picture,
    Person.configure({
      HTMLAttributes: { class: 'mention' },
      suggestion: {
        items: async ({ query }) =>
          (await findPeople(query))
            .slice(0, offered)
            .map(({ id, name }): Suggested => ({ id, text: name, label: name })),
        ...(render ? { render } : {}),
      },
    }),
    Blocks(texts, render),
    Snippets(findSnippets, render),
    Extension.create({
      name: 'send',
      priority: 1000,
      addKeyboardShortcuts: () => ({
        'Mod-Enter': () => {
          onSend()
          return true
        },
      }),
    }),
  ]
}

/** The ids of the people who were chosen from the menu. The service finds those of a stored text by their names. */
export function mentionsIn(editor: Editor): string[] {
  const ids = new Set<string>()
  editor.state.doc.descendants(({ type, attrs }) => {
    if (type.name === 'mention' && attrs.id) ids.add(attrs.id)
  })
  return [...ids]
}
