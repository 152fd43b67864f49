/** The path below which the authorisation server answers. */
export const base = '/oauth'
