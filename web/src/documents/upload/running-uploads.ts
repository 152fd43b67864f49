import { create } from 'zustand'

/** A file that is on its way. */
export interface RunningUpload {
  key: number
  /** Where it is shown: the id of an item, or the place of a draft. */
  place: string
  name: string
  /** The part that is stored, from 0 to 1; undefined for a file that is sent as one. */
  share?: number
  cancel: () => void
}

const useUploads = create<{ running: readonly RunningUpload[] }>(() => ({ running: [] }))

export function useRunningUploads(place: string): RunningUpload[] {
  return useUploads(({ running }) => running).filter(each => each.place === place)
}

let lastKey = 0

/** Shows an upload; returns what tells how far it is, and what ends its showing. */
export function showUpload(upload: Pick<RunningUpload, 'place' | 'name' | 'cancel'>) {
  const key = ++lastKey
  const change = (act: (running: readonly RunningUpload[]) => readonly RunningUpload[]) =>
    useUploads.setState(({ running }) => ({ running: act(running) }))
  change(running => [...running, { ...upload, key }])
  return {
    tell: (share: number) => change(running => running.map(each => (each.key === key ? { ...each, share } : each))),
    hide: () => change(running => running.filter(each => each.key !== key)),
  }
}
