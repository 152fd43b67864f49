import { create } from 'zustand'

/** A stored picture: it is shown small, and large when somebody wants that. */
export interface Picture {
  fileId: string
  name: string
}

/** The picture that is shown large. */
export const useLargePicture = create<{ picture: Picture | undefined }>(() => ({ picture: undefined }))

export const showLarge = (picture: Picture | undefined): void => useLargePicture.setState({ picture })

/** The sizes in which the service makes small pictures, in pixels. */
type ThumbSize = 64 | 256 | 1024

export const thumbOf = (fileId: string, size: ThumbSize): string => `/api/file/${fileId}/thumb?size=${size}`

export const pictureAddress = (fileId: string): string => `/api/file/download/${fileId}?inline=true`

/** The id of the file whose bytes an address in a text leads to. */
export const fileIdIn = (address: string): string | undefined =>
  /\/api\/file\/download\/([0-9a-f-]{36})/.exec(address)?.[1]
