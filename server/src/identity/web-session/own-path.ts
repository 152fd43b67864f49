const maxLength = 2000

/**
 * Returns the address of a page of this installation that `to` names, without host; undefined for any other. Browsers read `//host`,
 * `/\host` and addresses with tabs or line breaks in between as another host, and they do so after `.` and `..` were resolved.
 */
export function ownPath(to: unknown): string | undefined {
  if (typeof to !== 'string' || to.length > maxLength || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to))
    return undefined
  const { origin, pathname, search, hash } = new URL(to, nowhere)
  return origin === nowhere && !/^\/[/\\]/.test(pathname) && !isSignIn(pathname)
    ? `${pathname}${search}${hash}`
    : undefined
}

const nowhere = 'http://own.invalid'

/** Pages of the sign-in itself would begin it again. */
const isSignIn = (path: string) => /^\/(sign-in|signed-in|sign-out|oauth)(\/|$)/i.test(path)
