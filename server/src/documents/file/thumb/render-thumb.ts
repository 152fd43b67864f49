import type { Sharp, SharpOptions } from 'sharp'
import { Refusal } from '../../../kernel/refusal.ts'

/** The lengths of the longer side of a thumb; pixels. */
export const thumbSizes = [64, 256, 1024] as const
export type ThumbSize = (typeof thumbSizes)[number]

/** What is read of a picture at most: its bytes, its pixels (8192 × 8192), and the time to draw it; s. */
export const maxPictureBytes = 50 * 1024 * 1024
const maxPixels = 8192 * 8192
const maxSeconds = 10

/** An interlaced picture is decoded as a whole before it is shrunk, and the time of that is not bounded. */
const maxInterlacedPixels = maxPixels / 2

/** The media types of files that have thumbs. All of them are bitmaps; a drawing such as SVG could load other files. */
const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

export const isPicture = (mime: string) => pictureTypes.includes(mime)

/** Makes a thumb of a picture: upright, not enlarged, without metadata; of an animation, its first frame. */
export async function renderThumb(picture: Buffer, size: ThumbSize): Promise<Buffer> {
  draw ??= loadLibrary()
  const open = await draw
  if (!open) throw new Refusal(503, 'thumbs-unavailable', 'this service cannot make thumbs on its platform')
  try {
    const opened = open(picture, { limitInputPixels: maxPixels, failOn: 'error' })
    const { width, height, isProgressive } = await opened.metadata() // reads the header alone
    const max = isProgressive ? maxInterlacedPixels : maxPixels
    if (width * height > max) throw tooLarge(`it has more than ${max} pixels`)
    return await opened
      .autoOrient()
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: maxSeconds })
      .toBuffer()
  } catch (error) {
    throw error instanceof Refusal ? error : refusalFor(error instanceof Error ? error.message : '')
  }
}

export const tooLarge = (why: string) => new Refusal(422, 'picture-too-large', `the picture has no thumb: ${why}`)

/** The library has no codes for its errors. */
function refusalFor(message: string): Refusal {
  if (/pixel limit/i.test(message)) return tooLarge(`it has more than ${maxPixels} pixels`)
  if (/^timeout/i.test(message)) return tooLarge(`it takes more than ${maxSeconds} seconds to draw`)
  return new Refusal(422, 'broken-picture', 'the picture has no thumb: it is damaged')
}

type Draw = (picture: Buffer, options: SharpOptions) => Sharp

/** Undefined on a platform that has no binary of the library. */
let draw: Promise<Draw | undefined> | undefined

/** The library takes 25 MB, so it is loaded at its first use. It reads four formats, whatever else it could. */
async function loadLibrary(): Promise<Draw | undefined> {
  const loaded = await import('sharp').catch(() => undefined)
  if (!loaded) return undefined
  const { default: sharp } = loaded
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'Webp', 'Nsgif'].map(format => `VipsForeignLoad${format}Buffer`),
  })
  return sharp
}
