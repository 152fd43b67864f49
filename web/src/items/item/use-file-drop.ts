import { type DragEvent, useState } from 'react'
import { useAddFiles } from './parts/use-files.ts'

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Files can be dropped anywhere on an item. What the editor takes for itself is left to it. */
export function useFileDrop(itemId: string, readOnly: boolean) {
  const [isOver, setOver] = useState(false)
  const add = useAddFiles(itemId)
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (readOnly || !hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        const to = event.relatedTarget
        if (!(to instanceof Node) || !event.currentTarget.contains(to)) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        setOver(false)
        if (readOnly || !hasFiles(event) || event.defaultPrevented) return
        event.preventDefault()
        void add([...event.dataTransfer.files])
      },
    },
  }
}
