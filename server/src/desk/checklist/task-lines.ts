import { maxText } from './checklist-entry.ts'

/** A line of Markdown that is an entry of a task list: `- [x] Label the cables`. */
interface TaskLine {
  text: string
  checked: boolean
}

const task = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+(\S.*)$/
const fence = /^\s*(```|~~~)/

/** Returns the task lines of a Markdown text in their order, and the text without them. What is inside a code block is no task. */
export function takeTaskLines(markdown: string): { tasks: TaskLine[]; rest: string } {
  const tasks: TaskLine[] = []
  const rest: string[] = []
  let closing: string | undefined
  for (const line of markdown.split('\n')) {
    const [, mark] = fence.exec(line) ?? []
    if (mark && (closing === undefined || closing === mark)) closing = closing === undefined ? mark : undefined
    const [, box, text = ''] = closing === undefined ? (task.exec(line) ?? []) : []
    if (box === undefined) rest.push(line)
    else tasks.push({ text: [...text.trim()].slice(0, maxText).join(''), checked: box !== ' ' })
  }
  return { tasks, rest: rest.join('\n').trim() }
}
