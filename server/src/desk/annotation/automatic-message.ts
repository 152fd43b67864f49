/**
 * Whether no person wrote the message: a rule did, or a mail system, such as an absence notice. Such a message neither
 * answers the requester nor asks for an answer.
 */
export function isAutomatic(actorKind: string, headers: Readonly<Record<string, unknown>> | null | undefined): boolean {
  if (actorKind === 'rule') return true
  return Object.entries(headers ?? {}).some(([name, value]) => {
    const lower = name.toLowerCase()
    if (lower === 'auto-submitted') return String(value).trim().toLowerCase() !== 'no'
    return lower === 'x-autoreply' || lower === 'x-autorespond'
  })
}
