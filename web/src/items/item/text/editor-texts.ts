import { messages } from '../../../kernel/messages/messages.ts'
import type { EditorTexts } from '../../../kit/editor/editor-props.ts'

const say = messages({
  en: {
    heading: 'Heading',
    list: 'List',
    numbers: 'Numbered list',
    tasks: 'Tasks',
    quote: 'Quote',
    code: 'Code',
    table: 'Table',
    line: 'Line',
  },
  de: {
    heading: 'Überschrift',
    list: 'Liste',
    numbers: 'Nummerierte Liste',
    tasks: 'Aufgaben',
    quote: 'Zitat',
    code: 'Code',
    table: 'Tabelle',
    line: 'Linie',
  },
})

/** The words of the editor, in the language of the person. */
export const editorTexts = (): EditorTexts => ({
  heading: say.heading,
  list: say.list,
  numbers: say.numbers,
  tasks: say.tasks,
  quote: say.quote,
  code: say.code,
  table: say.table,
  line: say.line,
})
