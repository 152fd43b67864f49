/** A new id of a record (UUID version 7): it begins with the time, so that records sort by their creation. */
export function newId(now = performance.timeOrigin + performance.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  let rest = Math.trunc(now)
  for (let at = 5; at >= 0; at--) {
    bytes[at] = rest % 256
    rest = Math.trunc(rest / 256)
  }
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
