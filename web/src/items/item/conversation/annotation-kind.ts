import { codes } from '@gantry/sdk'

const { annotationKind } = codes

/** The codes of `annotation.via`. */
export const annotationVia = { mail: 0 } as const

/** Whether only the team reads messages of a kind. Unknown kinds are for the team, as the service has it. */
export const isInternal = (kind: number): boolean =>
  ![annotationKind.reply, annotationKind.message, annotationKind.resolution, annotationKind.update].some(
    each => each === kind,
  )
