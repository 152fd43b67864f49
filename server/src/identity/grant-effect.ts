import { codeTableOfCodes } from '../records/code-table.ts'

/** The codes of a grant's `effect`. */
export const grantEffect = { allow: 0, deny: 1 } as const
export const grantEffects = codeTableOfCodes('accessControl.effect', grantEffect)
