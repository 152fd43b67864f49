import { codeTableOfCodes } from '../records/code-table.ts'

/** The codes of a document's `state`: who may read it, beside its restrictions. */
export const documentState = { draft: 0, internal: 1, public: 2 } as const
export const documentStates = codeTableOfCodes('document.state', documentState)
