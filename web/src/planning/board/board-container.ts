import { createContext } from 'react'

/** The container in which a board makes new items. */
export const BoardContainer = createContext('')
