import { later } from '../later.tsx'
import { useOpenEditor } from './open-editor.ts'

const Editor = later(async () => (await import('../over-page.ts')).Editor)

/** The editor of the value that is being edited; on phones a sheet at the foot of the page. */
export function EditorLayer() {
  const editing = useOpenEditor(state => state.editing)
  return editing && <Editor key={editing.property.path} editing={editing} />
}
