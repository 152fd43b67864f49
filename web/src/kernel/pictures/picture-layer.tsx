import { later } from '../later.tsx'
import { useLargePicture } from './pictures.ts'

const LargePicture = later(async () => (await import('../over-page.ts')).LargePicture)

/** Where a picture is shown large, over every page. */
export function PictureLayer() {
  const picture = useLargePicture(each => each.picture)
  return picture ? <LargePicture picture={picture} /> : null
}
