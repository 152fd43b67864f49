/** Something that was uploaded from inside of a text. */
export interface Uploaded {
  address: string
  name: string
  isPicture: boolean
}

/** The words of the editor, in the language of the person. */
export interface EditorTexts {
  heading: string
  list: string
  numbers: string
  tasks: string
  quote: string
  code: string
  table: string
  line: string
}

/** The people whose names contain a text. */
export type FindPeople = (text: string) => readonly Named[] | Promise<readonly Named[]>

/** A text that was written in advance. */
export interface Snippet extends Named {
  /** Its Markdown; undefined if it cannot be had. */
  read: () => Promise<string | undefined>
}

interface Named {
  id: string
  name: string
}

export interface EditorProps {
  label: string
  placeholder: string
  /** The Markdown that it begins with. Later changes of it do not reach the editor: what somebody types stays. */
  text: string
  texts: EditorTexts
  findPeople: FindPeople
  /** The texts that `::` offers. */
  findSnippets?: ((text: string) => readonly Snippet[]) | undefined
  autoFocus?: boolean
  /** Called at every change, with the Markdown and the ids of the people in it. */
  onText: (markdown: string, mentions: string[]) => void
  /** `Mod+Enter` */
  onSend?: () => void
  /** The focus has left the editor. */
  onLeave?: () => void
  /** `Esc` */
  onEscape?: () => void
  /** Stores a file that was pasted or dropped; undefined if it was refused. */
  upload?: (file: File) => Promise<Uploaded | undefined>
}
